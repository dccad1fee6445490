# SPDX-FileCopyrightText: The Sextant authors
# SPDX-License-Identifier: Apache-2.0
"""What a question gives: a pandas DataFrame, an Arrow table, or plain columns."""
from ._find import Error


class Columns(dict):
    """Columns by name, each a list; in the order in which they were asked for."""

    def __init__(self, names, rows):
        rows = list(rows)
        super().__init__((name, [row[at] for row in rows]) for at, name in enumerate(names))
        self.row_count = len(rows)

    def rows(self):
        """Row by row, as tuples."""
        return zip(*self.values()) if self else iter(())

    def __repr__(self):
        return f"<{self.row_count} rows of {', '.join(self)}>"


def _unique(names):
    """Two columns of one name are told apart."""
    out = []
    for name in names:
        wanted, count = name, 1
        while name in out:
            count += 1
            name = f"{wanted}_{count}"
        out.append(name)
    return out


def result(cursor, as_):
    """The rows of a cursor, as rows_as() makes them."""
    return rows_as(_unique([column[0] for column in cursor.description or ()]), cursor, as_)


def rows_as(names, rows, as_):
    """Rows as asked for: auto (pandas where it is installed), pandas, arrow or columns."""
    if as_ in ("auto", "pandas"):
        try:
            import pandas
            return pandas.DataFrame.from_records(list(rows), columns=names, coerce_float=False)
        except ImportError:
            if as_ == "pandas":
                raise Error("pandas is not installed; as_='columns' needs nothing") from None
    if as_ == "arrow":
        try:
            import pyarrow
        except ImportError:
            raise Error("pyarrow is not installed; as_='columns' needs nothing") from None
        return pyarrow.table({name: pyarrow.array(values) for name, values in Columns(names, rows).items()})
    if as_ not in ("auto", "columns"):
        raise Error(f"as_ is one of auto, pandas, arrow and columns, and not {as_!r}")
    return Columns(names, rows)
