/**
 * Ways in which foreign Python has got out elsewhere. Each may do what it likes inside; the tests look at canaries
 * outside. `context` has `file`, `folder`, `port` and `pid` of the server's side.
 */

export type Attack = readonly [name: string, source: string]

/** For any Python. Whatever an attack reads of the outside, it prints. */
export const pythonAttacks: readonly Attack[] = [
  ['open', 'print(open(context["file"]).read())'],
  ['os.open', 'import os\nprint(os.read(os.open(context["file"], os.O_RDONLY), 100))'],
  ['a path that climbs', 'print(open("../" * 40 + context["file"]).read())'],
  ['a link', 'import os\nos.symlink(context["file"], "link")\nprint(open("link").read())'],
  ['a link that stays', 'import os\nos.symlink(context["file"], "link.txt")'],
  ['a hard link', 'import os\nos.link(context["file"], "hard.txt")\nprint(open("hard.txt").read())'],
  ['writing outside', 'open(context["file"], "w").write("overwritten")'],
  ['writing beside', 'open(context["folder"] + "/new", "w").write("new")'],
  [
    '/etc/passwd',
    'text = open("/etc/passwd").read()\nprint("LEAK" if ":0:0:" in text and "/root" in text else "")',
  ],
  ['the environment', 'import os\nprint(dict(os.environ))'],
  ['/proc/self/environ', 'print(open("/proc/self/environ").read())'],
  ['the environment of the server', 'print(open("/proc/%d/environ" % context["pid"]).read())'],
  ['the root of other processes', 'import os\nprint(os.listdir("/proc/1/root" + context["folder"]))'],
  ['os.system', 'import os\nos.system("cat " + context["file"])'],
  [
    'subprocess',
    'import subprocess\nprint(subprocess.run(["cat", context["file"]], capture_output=True).stdout)',
  ],
  ['a socket', 'import socket\nprint(socket.create_connection(("127.0.0.1", context["port"]), 2).recv(100))'],
  [
    'urllib',
    'import urllib.request\nprint(urllib.request.urlopen("http://127.0.0.1:%d/" % context["port"], timeout=2).read())',
  ],
  [
    'the metadata address',
    'import socket\nsocket.create_connection(("169.254.169.254", 80), 2)\nprint("LEAK")',
  ],
  [
    'kill',
    'import os\nos.kill(context["pid"], 0) if context["pid"] > 100 else None\nos.kill(context["pid"], 9)',
  ],
  [
    'subclasses',
    'hits = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == "Popen"]\nprint(hits and hits[0](["cat", context["file"]]))',
  ],
  ['builtins', '__builtins__.__import__("os").system("cat " + context["file"])'],
  ['ctypes', 'import ctypes\nlibc = ctypes.CDLL(None)\nlibc.system(("cat " + context["file"]).encode())'],
  [
    'exception formatting',
    'try:\n  raise ValueError\nexcept ValueError as error:\n  frame = error.__traceback__.tb_frame\nwhile frame.f_back: frame = frame.f_back\nprint(frame.f_globals["sys"].modules["os"].popen("cat " + context["file"]).read())',
  ],
  [
    'an import from the workspace',
    'open("evil.py", "w").write("print(open(%r).read())" % context["file"])\nimport evil',
  ],
  [
    'frames of its own',
    'import os\nos.write(4, b\'{"type":"file","path":"../../out","bytes":1}\\nx\')\nos.write(1, b\'{"type":"done","exit":0,"bytes":0}\\n\')',
  ],
  ['exit', 'import os\nos._exit(0)'],
]

/** The three known ways out of Pyodide into the JavaScript around it, and what can be tried there. */
const outside = [
  'Deno.readTextFileSync(file)',
  'Deno.writeTextFileSync(file, "overwritten")',
  'process.getBuiltinModule("node:fs").readFileSync(file, "utf8")',
  'process.getBuiltinModule("node:child_process").execFileSync("cat", [file], { encoding: "utf8" })',
  'new TextDecoder().decode(new Deno.Command("cat", { args: [file] }).outputSync().stdout)',
  'JSON.stringify(Deno.env.toObject())',
  'JSON.stringify(process.env)',
  '"LEAK " + Deno.listen({ port: 0 }).addr.port',
  '"LEAK " + Deno.hostname()',
  '"LEAK " + Deno.dlopen("libc.so.6", { getpid: { parameters: [], result: "i32" } }).symbols.getpid()',
  'void fetch("http://127.0.0.1:" + port).catch(() => {})',
  'void Deno.connect({ port }).catch(() => {})',
  'Deno.symlinkSync(file, "/tmp/link")',
]

/** Python code that runs each of them; `run` makes the Python that runs an expression which gives JavaScript. */
function tryAll(run: (expression: string) => string): string {
  const each = outside.map((code) => {
    const source = `(function (file, port) { try { return String(${code}) } catch (error) { return error.name } })`
    // A text of JSON is one of Python too.
    const expression = `${JSON.stringify(source)} + "(" + json.dumps(context["file"]) + ", " + str(context["port"]) + ")"`
    return `try:\n  print(${run(expression)})\nexcept BaseException as error:\n  print(type(error).__name__)`
  })
  return each.join('\n')
}

export const pyodideAttacks: readonly Attack[] = [
  [
    'the JavaScript of pyodide_js.constructor.constructor',
    `import json, pyodide_js\n${tryAll((each) => `pyodide_js.constructor.constructor("return " + ${each})()`)}`,
  ],
  [
    'ctypes and emscripten_run_script',
    `import json, ctypes\nscript = ctypes.CDLL(None).emscripten_run_script_string\nscript.restype = ctypes.c_char_p\n${tryAll((each) => `script((${each}).encode())`)}`,
  ],
  ['the JavaScript of the module js', `import json, js\n${tryAll((each) => `js.eval(${each})`)}`],
  [
    'mountNodeFS',
    'import pyodide_js, os\nos.mkdir("/outside")\npyodide_js.mountNodeFS("/outside", context["folder"])\nprint([open("/outside/" + each).read() for each in os.listdir("/outside")])',
  ],
  [
    'mountNodeFS over the root',
    'import pyodide_js, os\nos.mkdir("/all")\npyodide_js.mountNodeFS("/all", "/")\nprint(open("/all" + context["file"]).read())',
  ],
]
