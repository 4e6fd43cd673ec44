"""Everything in one go: five folds, the model of all, and with --curve the folds on less.

python training/ear/train_all.py --start START --out OUT         folds and model, six at a time
python training/ear/calibrate.py --start START --scores OUT --out training/ear/tuning.json
python training/ear/finish.py --model OUT/ear.onnx --tuning training/ear/tuning.json
"""

import argparse
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDS = 5
CURVE = (0.5, 0.25)


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--export", action="store_true", help="the folds' models, too")
    parser.add_argument("--at-once", type=int, default=6)
    args = parser.parse_args()
    jobs = [["--out", str(args.out)]]
    jobs += [["--out", str(args.out), "--fold", str(fold)] for fold in range(FOLDS)]
    if args.export:
        jobs = [[*job, "--export"] for job in jobs]
    for share in CURVE if args.curve else ():
        folder = str(args.out.parent / f"{args.out.name}{round(100 * share)}")
        jobs += [["--out", folder, "--share", str(share), "--fold", str(n)] for n in range(FOLDS)]
    command = [sys.executable, str(here / "train.py"), "--start", str(args.start)]
    with ThreadPoolExecutor(args.at_once) as pool:
        done = list(pool.map(lambda job: subprocess.run([*command, *job]).returncode, jobs))
    sys.exit(max(done))


if __name__ == "__main__":
    main()
