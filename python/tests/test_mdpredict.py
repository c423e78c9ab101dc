"""Tests of the package: what it gives is what the command prints."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import mdpredict as mdp  # noqa: E402

CORES = ["cores=2"]


def printed(*words):
    return json.loads(subprocess.run([mdp.command(), *words, "--json"], check=True, capture_output=True).stdout)


class Commands(unittest.TestCase):
    def test_run(self):
        mine = mdp.run("vecadd", n=2, set=CORES, seed=3)
        want = printed("run", "vecadd", "-n", "2", "--set", "cores=2", "--seed", "3")
        self.assertEqual(mine.cycles, want["cycles"])
        self.assertEqual((mine.n, mine.gpu), (2, "yen2014"))

    def test_search(self):
        mine = mdp.search("vecadd", set=CORES)
        want = printed("search", "vecadd", "--set", "cores=2")
        self.assertEqual(list(mine.index), [1, 2, 3, 4, 5, 6, 7, 8])
        self.assertEqual(list(mine.cycles), [r["cycles"] for r in want])

    def test_sample(self):
        mine = mdp.sample("vecadd", effort="window")
        want = printed("sample", "vecadd", "--effort", "window")
        self.assertEqual(mine["chosen_n"], want["chosen_n"])
        self.assertEqual(list(mine.predicted.ipc), want["predicted_ipc"])
        self.assertEqual(list(mine.predicted.index), list(range(1, 9)))
        self.assertEqual(mine.kernels.loc["kernel_vec_add", "cta_cycles"], want["kernels"][0]["cta_cycles"])

    def test_compare_schedulers(self):
        mine = mdp.compare("vecadd", warp_schedulers="gto,lrr", set=CORES)
        rows = mine[mine.target == "vecadd"]
        self.assertEqual(list(rows.combination), ["gto", "lrr"])
        lrr = mdp.run("vecadd", warp_scheduler="lrr", set=CORES)
        self.assertEqual(rows.cycles.iloc[1], lrr.cycles)

    def test_profile(self):
        with tempfile.TemporaryDirectory() as folder:
            runs, samples = mdp.profile("vecadd", db=os.path.join(folder, "p.db"), set=CORES)
        self.assertEqual(list(runs.n), [1, 2, 3, 4, 5, 6, 7, 8])
        self.assertEqual(list(samples.kernel), ["kernel_vec_add"])
        self.assertEqual(runs.cycles[0], mdp.run("vecadd", n=1, set=CORES).cycles)

    def test_a_failure_is_an_error_with_the_message(self):
        with self.assertRaisesRegex(mdp.Error, "vecad"):
            mdp.run("vecad")
        with self.assertRaisesRegex(mdp.Error, "no-such-option"):
            mdp.search("vecadd", no_such_option=1)

    def test_fit(self):
        text = mdp.fit(model="yen2014", from_="data/papers/yen2014-series.csv", hold=["pipe_fits"])
        self.assertIn("lat_low", text)

    def test_the_program_is_found(self):
        old = os.environ.get("MDPREDICT")
        try:
            os.environ["MDPREDICT"] = "/somewhere/mdpredict"
            self.assertEqual(mdp.command(), "/somewhere/mdpredict")
        finally:
            os.environ.pop("MDPREDICT")
            if old is not None:
                os.environ["MDPREDICT"] = old


if __name__ == "__main__":
    unittest.main()
