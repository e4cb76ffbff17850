package io.headrace.app.simulate;

import io.headrace.app.simulate.CoreSearch.Found;
import io.headrace.app.simulate.CoreSearch.Row;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The stall against the cores of a host as an SVG picture. */
public final class StallPlot {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 420;
    private static final int LEFT = 60;
    private static final int RIGHT = 20;
    private static final int TOP = 40;
    private static final int BOTTOM = 50;

    private final List<Row> rows;
    private final double mostStall;
    private final StringBuilder svg = new StringBuilder();

    private StallPlot(List<Row> rows) {
        this.rows = rows;
        this.mostStall =
                rows.stream()
                        .mapToDouble(r -> Math.max(r.deadline(), Math.max(r.fifo(), r.rankLocal())))
                        .max()
                        .orElse(1);
    }

    /** The picture's text. */
    public static String of(String title, Found found, double limit) {
        return new StallPlot(found.rows()).draw(title, found.enough(), limit);
    }

    private String draw(String title, int enough, double limit) {
        svg.append(
                """
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">
                <rect width="100%%" height="100%%" fill="white"/>
                """
                        .formatted(WIDTH, HEIGHT));
        text(LEFT, 22, title, "start", "black");
        for (int tick = 0; tick <= 4; tick++) {
            double share = mostStall * tick / 4;
            line(LEFT, y(share), WIDTH - RIGHT, y(share), "#dddddd");
            text(LEFT - 6, y(share) + 4, percent(share), "end", "black");
        }
        for (Row row : rows) {
            text(x(row.cores()), HEIGHT - BOTTOM + 18, "" + row.cores(), "middle", "black");
        }
        text(WIDTH / 2.0, HEIGHT - 12, "cores a host", "middle", "black");
        line(LEFT, y(limit), WIDTH - RIGHT, y(limit), "#999999");
        if (enough > 0) {
            line(x(enough), TOP, x(enough), HEIGHT - BOTTOM, "#999999");
        }
        series("deadlines", "#1b7837", 0, Row::deadline);
        series("FIFO", "#2166ac", 1, Row::fifo);
        series("rank-local", "#b2182b", 2, Row::rankLocal);
        return svg.append("</svg>\n").toString();
    }

    private void series(String name, String colour, int place, ToDoubleFunction<Row> value) {
        StringBuilder points = new StringBuilder();
        for (Row row : rows) {
            points.append(
                    String.format(
                            Locale.ROOT,
                            "%.1f,%.1f ",
                            x(row.cores()),
                            y(value.applyAsDouble(row))));
        }
        svg.append(
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>%n"
                        .formatted(colour, points.toString().trim()));
        text(WIDTH - RIGHT - 90, TOP + 16 + 16 * place, name, "start", colour);
    }

    private double x(int cores) {
        double least = rows.getFirst().cores();
        double span = Math.max(1, rows.getLast().cores() - least);
        return LEFT + (WIDTH - LEFT - RIGHT) * (cores - least) / span;
    }

    private double y(double share) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share / Math.max(mostStall, 1e-9);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }

    private void line(double x1, double y1, double x2, double y2, String colour) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n",
                        x1,
                        y1,
                        x2,
                        y2,
                        colour));
    }

    private void text(double x, double y, String words, String anchor, String colour) {
        String safe = words.replace("&", "&amp;").replace("<", "&lt;");
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
                        x,
                        y,
                        anchor,
                        colour,
                        safe));
    }
}
