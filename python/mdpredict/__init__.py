"""mdpredict from Python: its commands, with results as pandas data frames.

Every function runs the command of its name and reads what that prints as JSON or CSV. Options of the
command are keyword arguments: ``gpu="park2015"`` is ``--gpu park2015``, ``set=["cores=2"]`` is
``--set cores=2``, ``functional=True`` is ``--functional``; an underscore is a hyphen. What each option
means, and the keys of the results with their units: ``mdpredict COMMAND --help``, docs/keys.md.
"""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pandas as pd

__all__ = ["Error", "command", "run", "search", "sample", "compare", "compare_all", "profile", "fit", "figure"]


_BESIDE = Path(__file__).resolve().parents[2] / "mdpredict"


class Error(RuntimeError):
    """The command failed; the text is its message."""


def command():
    """The path of the program: $MDPREDICT, else beside this package's folder, else on the PATH."""
    for path in (os.environ.get("MDPREDICT"), _BESIDE if _BESIDE.is_file() else None, shutil.which("mdpredict")):
        if path:
            return str(path)
    raise Error("mdpredict is not found: build it, or set MDPREDICT")


def _options(options):
    words = []
    for name, value in options.items():
        flag = "-n" if name == "n" else "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                words.append(flag)
            elif one is not None and one is not False:
                words += [flag, str(one)]
    return words


def _call(name, targets, options, program=None):
    words = [command(), name, *_options(options), *targets]
    if program:
        words += ["--", *program]
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise Error(done.stderr.strip() or f"{name}: exit code {done.returncode}")
    return done.stdout


def _json(name, targets, options, program=None):
    return json.loads(_call(name, targets, {**options, "json": True}, program))


def _scalars(result):
    return {k: v for k, v in result.items() if not isinstance(v, (list, dict)) and k != "schema_version"}


def run(target, **options):
    """One simulation, at the degree ``n`` (default: as many CTAs as fit). A Series of its counters and rates."""
    return pd.Series(_scalars(_json("run", [target], options)), name=target)


def search(target, **options):
    """A simulation of every degree. A DataFrame by n."""
    rows = [_scalars(r) for r in _json("search", [target], options)]
    return pd.DataFrame(rows).set_index("n")


class Sample(dict):
    """What ``sample`` prints as JSON; ``chosen_n``, ``effort`` and others are its keys."""

    @property
    def predicted(self):
        """By n: everything that is predicted of it (IPC with its interval, DRAM reads, latency ...)."""
        n = range(1, self["n_max"] + 1)
        by = {k[len("predicted_"):]: v for k, v in self.items() if k.startswith("predicted_") and isinstance(v, list)}
        return pd.DataFrame(by, index=pd.Index(n, name="n"))

    @property
    def kernels(self):
        """By kernel: what was counted in its window."""
        return pd.DataFrame([_scalars(k) for k in self["kernels"]]).set_index("kernel")


def sample(target=None, program=None, **options):
    """A degree, and what is predicted of every other one. ``program``: a CUDA program and its arguments, a list;
    then the result is the JSON as it is."""
    if program:
        return _json("sample", [], options, program)
    return Sample(_json("sample", [target], options))


def compare(*targets, **options):
    """Predicted against simulated, or schedulers side by side (``warp_schedulers=``, ``cta_schedulers=``,
    ``suite=``). A DataFrame, a row a target (of schedulers: a target and combination)."""
    return _csv("compare", targets, options)


def compare_all(db=None, **options):
    """Every predictor on a whole profile (default: the bundled one). A DataFrame, a row a case and predictor."""
    return _csv("compare", [], {"all": True, "db": db, **options})


def _csv(name, targets, options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.csv")
        _call(name, targets, {**options, "csv": True, "output": path})
        return pd.read_csv(path)


def profile(*workloads, db, **options):
    """Samples and runs of every degree into the profile database ``db``; returns (runs, samples), two DataFrames of
    all that it holds."""
    _call("profile", workloads, {"db": db, **options})
    tables = []
    with tempfile.TemporaryDirectory() as folder:
        for table in ("runs", "samples"):
            path = os.path.join(folder, table)
            _call("export", [table], {"db": db, "output": path})
            tables.append(pd.read_csv(path))
    return tuple(tables)


def fit(**options):
    """Fits a model's coefficients (``model=``, ``from_=``, ``hold=`` ...). What the command prints."""
    if "from_" in options:
        options["from"] = options.pop("from_")
    return _call("fit", [], options)


def figure(name, path, **options):
    """Draws a figure of the papers into a file; returns its path."""
    _call("figure", [name], {**options, "output": path})
    return path
