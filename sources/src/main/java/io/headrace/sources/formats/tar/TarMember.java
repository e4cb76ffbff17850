package io.headrace.sources.formats.tar;

/**
 * One member of a tar.
 *
 * @param headerOffset first byte of its headers, extended ones included
 * @param dataOffset first byte of its payload
 * @param isRegular whether it is a plain file: no folder, link, device or sparse file
 */
record TarMember(
        String name, long headerOffset, long dataOffset, long sizeBytes, boolean isRegular) {}
