"""Adds up JUnit XML reports and prints the plain total as the last line; exits 1 when anything failed."""

import sys
from xml.etree import ElementTree


def main() -> int:
    checks_failed = int(sys.argv[1])
    passed = failed = skipped = 0
    for path in sys.argv[2:]:
        root = ElementTree.parse(path).getroot()
        for suite in root.iter("testsuite"):
            tests, bad, left = (int(suite.get(k) or 0) for k in ("tests", "failures", "skipped"))
            bad += int(suite.get("errors") or 0)
            passed, failed, skipped = passed + tests - bad - left, failed + bad, skipped + left
            for case in suite.iter("testcase"):
                if case.find("failure") is not None or case.find("error") is not None:
                    print(f"FAILED {case.get('classname')}.{case.get('name')}")
                if case.find("skipped") is not None:
                    print(f"skipped {case.get('classname')}.{case.get('name')}: {case.find('skipped').get('message')}")
    if checks_failed and not failed:
        failed = 1
        print("FAILED a check outside the tests: see above")
    if passed == 0:
        failed += 1
        print("FAILED no test was run")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
