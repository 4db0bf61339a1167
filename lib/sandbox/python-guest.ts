/**
 * The Python code that runs foreign Python: the same in every wall. It runs one call, reports the result of its last
 * expression or of its function, and offers `load_table`.
 */

/** The file name of the foreign source in tracebacks. */
export const sourceName = 'code.py'
/** The size of a result as JSON. */
const maxResultBytes = 1024 * 1024
/** Rows of a data frame that are shown; the code can write the others to a file. */
const maxShownRows = 1_000

/**
 * Defines `execute(ask, exchange)`: `ask` is the call, `exchange(header, body)` asks the host and returns its header
 * and body. It returns the exit code and the result as bytes of JSON, and never raises.
 */
export const pythonGuest = String.raw`
import ast, builtins, gc, importlib, io, json, linecache, math, os, sys, traceback, types

# Modules of the workspace are read anew by each call, and leave no files of their own.
sys.dont_write_bytecode = True

SOURCE = '${sourceName}'
MAX_RESULT = ${maxResultBytes}
MAX_ROWS = ${maxShownRows}
MAX_DEPTH = 60
MAX_NOTE = 4000


class Table(list):
    """The rows of one sheet, each a dict by column name. types holds the type of each column."""

    def __init__(self, rows, columns, types, sheet, sheets):
        super().__init__(rows)
        self.columns, self.types, self.sheet, self.sheets = columns, types, sheet, sheets

    def csv(self):
        """The sheet as CSV: numbers as they are, dates in ISO 8601, true and false, empty cells empty."""
        import csv
        out = io.StringIO(newline='')
        writer = csv.writer(out, lineterminator='\n')
        writer.writerow(self.columns)
        for row in self:
            writer.writerow([written(row[name]) for name in self.columns])
        return out.getvalue()


def written(value):
    """A value as it stands in CSV."""
    if value is None:
        return ''
    if isinstance(value, bool):
        return 'true' if value else 'false'
    return value.isoformat() if hasattr(value, 'isoformat') else value


def typed(value, kind):
    """Dates and times become objects of datetime; everything else is typed already."""
    if value is None or kind not in ('date', 'datetime', 'time'):
        return value
    import datetime
    try:
        return getattr(datetime, kind).fromisoformat(value)
    except ValueError:
        return value


def make_load_table(exchange):
    known = {}

    def sheets_of(path):
        stat = os.stat(path)
        key = (os.path.abspath(path), stat.st_size, stat.st_mtime_ns)
        if key not in known:
            with open(path, 'rb') as file:
                header, body = exchange({'type': 'table'}, file.read())
            if not header.get('ok'):
                raise ValueError('%s: %s' % (path, header.get('message')))
            known[key] = json.loads(bytes(body))
        return known[key]

    def load_table(path, sheet=None):
        """Reads one sheet of an XLSX or CSV file: a list of dicts with typed values. By default the first one."""
        found = sheets_of(path)
        names = [each['sheet'] for each in found]
        seen = [each for each in found if not each['hidden']] or found
        chosen = [each for each in found if each['sheet'] == sheet] if sheet is not None else seen
        if not chosen:
            raise ValueError('%s: there is no sheet %r, only %s.' % (path, sheet, ', '.join(map(repr, names))))
        columns = [each['name'] for each in chosen[0]['columns']]
        kinds = {each['name']: each['type'] for each in chosen[0]['columns']}
        rows = [{name: typed(value, kinds[name]) for name, value in zip(columns, row)} for row in chosen[0]['rows']]
        return Table(rows, columns, kinds, chosen[0]['sheet'], names)
    return load_table


def plain(value, depth=0):
    """The value as JSON has it; raises TypeError for anything that has no such form."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2 ** 53 else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if depth > MAX_DEPTH:
        raise TypeError('nested too deeply')
    if isinstance(value, dict):
        if not all(isinstance(key, (str, int, float, bool)) or key is None for key in value):
            raise TypeError('keys that are not texts')
        return {str(key): plain(each, depth + 1) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each, depth + 1) for each in value]
    if hasattr(value, 'tolist') and hasattr(value, 'dtype'):
        return plain(value.tolist(), depth + 1)
    if hasattr(value, 'isoformat'):
        return value.isoformat()
    raise TypeError(type(value).__name__)


def cell(value):
    try:
        return plain(value)
    except Exception:
        return str(value)


def shown(value):
    """What the host is given of a result."""
    if value is None:
        return {'kind': 'none'}
    if isinstance(value, str):
        return {'kind': 'text', 'text': value}
    if hasattr(value, 'columns') and hasattr(value, 'itertuples') and hasattr(value, 'head'):
        frame = value.head(MAX_ROWS)
        rows = [[cell(each) for each in row] for row in frame.itertuples(index=False, name=None)]
        return {'kind': 'table', 'columns': [str(name) for name in frame.columns], 'rows': rows, 'more': len(value) - len(rows)}
    try:
        return {'kind': 'json', 'value': plain(value)}
    except (TypeError, RecursionError):
        return {'kind': 'text', 'text': repr(value)}


def save_figures():
    """Figures of matplotlib that the code left open become files."""
    plots = sys.modules.get('matplotlib.pyplot')
    if plots is None:
        return
    for number in plots.get_fignums():
        name = 'figure-%d.png' % number
        if not os.path.exists(name):
            plots.figure(number).savefig(name)
    plots.close('all')


def run_source(ask, space):
    source = ask['source']
    linecache.cache[SOURCE] = (len(source), None, source.splitlines(True), SOURCE)
    tree = ast.parse(source, SOURCE)
    last = None
    if ask['mode'] == 'script' and tree.body and isinstance(tree.body[-1], ast.Expr):
        last = compile(ast.Expression(tree.body.pop().value), SOURCE, 'eval')
    exec(compile(tree, SOURCE, 'exec'), space)
    if ask['mode'] == 'script':
        return None if last is None else builtins.eval(last, space)
    run = space.get('run')
    if not callable(run):
        raise NameError('The source defines no function run(args).')
    value = run(ask.get('args') or {})
    if hasattr(value, '__await__'):
        value.close()
        raise TypeError('run(args) is an async function. Make it a plain one.')
    return value


def own_frames(error):
    """The traceback without the frames of this program."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != SOURCE:
        trace = trace.tb_next
    return trace


def explain(error):
    trace = own_frames(error)
    lines = traceback.format_exception(type(error), error.with_traceback(trace), trace)
    return ''.join(lines)


def execute(ask, exchange):
    notes = []

    def note(text):
        """Tells the model something beside the result, which no user reads as the answer."""
        if not isinstance(text, str):
            raise TypeError('note: the note must be a text')
        notes.append(text[:MAX_NOTE])

    main = types.ModuleType('__main__')
    space = main.__dict__
    space.update({'load_table': make_load_table(exchange), 'context': ask.get('run') or {}})
    if ask.get('mayNote'):
        space['note'] = note
    before = (set(sys.modules), sys.modules.get('__main__'), list(sys.path), dict(os.environ))
    streams = (sys.stdin, sys.stdout, sys.stderr)
    sys.modules['__main__'] = main
    sys.path.insert(0, os.getcwd())
    importlib.invalidate_caches()
    linecache.checkcache()
    exit_code, told = 0, {'kind': 'none'}
    try:
        told = shown(run_source(ask, space))
        save_figures()
    except SystemExit as error:
        code = error.code
        exit_code = code if isinstance(code, int) else 0 if code is None else 1
        if isinstance(code, str):
            told = {'kind': 'error', 'text': code}
    except BaseException as error:
        exit_code = 1
        try:
            told = {'kind': 'error', 'text': explain(error)}
        except BaseException:
            told = {'kind': 'error', 'text': type(error).__name__}
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass
    sys.stdin, sys.stdout, sys.stderr = streams
    restore(before)
    body = json.dumps({'result': told, 'notes': '\n'.join(notes)[:MAX_NOTE]}).encode()
    if len(body) > MAX_RESULT:
        text = 'The result is larger than 1 MiB. Write it to a file and return a summary.'
        return 1, json.dumps({'result': {'kind': 'error', 'text': text}, 'notes': ''}).encode()
    return exit_code & 255, body


def restore(before):
    """Leaves nothing of the call to the next one, as far as this can be done in one process."""
    modules, main, path, environ = before
    here = os.getcwd()
    for name in set(sys.modules) - modules:
        if str(getattr(sys.modules.get(name), '__file__', None) or '').startswith(here):
            del sys.modules[name]
    sys.modules['__main__'] = main
    sys.path[:] = path
    os.environ.clear()
    os.environ.update(environ)
    linecache.cache.pop(SOURCE, None)
    gc.collect()
`

/** Where the wheels of the operator are inside a sandbox. */
export const wheelsInside = '/wheels'

/**
 * Runs the guest in a Python of the machine: the call comes on standard input, the result leaves on descriptor 4, and
 * standard output and error are those of the code. A frame is one line of JSON and as many bytes as it says.
 */
export const pythonMain = String.raw`
WHEELS = '${wheelsInside}'


def main():
    source, sink = os.fdopen(os.dup(0), 'rb'), os.fdopen(4, 'wb')
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)

    def send(header, body=b''):
        sink.write(json.dumps({**header, 'bytes': len(body)}).encode() + b'\n' + body)
        sink.flush()

    def receive():
        line = source.readline()
        if not line:
            os._exit(0)
        header = json.loads(line)
        return header, source.read(header.get('bytes', 0))

    def exchange(header, body=b''):
        send(header, body)
        return receive()

    for name in sorted(os.listdir(WHEELS)) if os.path.isdir(WHEELS) else []:
        if name.endswith('.whl'):
            sys.path.append(os.path.join(WHEELS, name))
    if os.path.isdir(WHEELS):
        sys.path.append(WHEELS)
    send({'type': 'ready'})
    _, body = receive()
    exit_code, result = execute(json.loads(body), exchange)
    send({'type': 'done', 'exit': exit_code}, result)
    os._exit(exit_code)


main()
`
