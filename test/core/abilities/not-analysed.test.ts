/** What the scan of scripts and of Markdown does not analyse (docs/abilities.md, "Not analysed"). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { abilitiesOf } from '../../../server/src/abilities/abilities.ts';
import type { FolderFile } from '../../../server/src/abilities/folder.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { withoutHang } from '../../hang.ts';
import { scaled } from '../../random.ts';

/** The abilities of a skill with this body and these files. */
function abilities(files: readonly FolderFile[], body = '', head = '') {
  const source = `---\nname: tidy-notes\ndescription: Tidies notes.\n${head}---\n\n${body}\n`;
  return { source, ...abilitiesOf(new SkillFile('file:///w/tidy-notes/SKILL.md', source), files) };
}

/** The names of what is not analysed in a script. A test fails if a span does not contain its name. */
function inScript(path: string, text: string, files: readonly FolderFile[] = []): readonly string[] {
  const script = abilities([{ path, text }, ...files]).scripts.find((one) => one.path === path);
  return (script?.unanalysed ?? []).map(({ kind, name, span }) => {
    assert.ok(0 <= span.start && span.start <= span.end && span.end <= text.length, name);
    return kind === 'program' ? name : `${kind} ${name}`;
  });
}

/** The names of what is not analysed in the text of a skill. */
const inText = (body: string, head = '', files: readonly FolderFile[] = []): readonly string[] =>
  abilities(files, body, head).commands.map(({ kind, name }) => (kind === 'program' ? name : `${kind} ${name}`));

/** Shell code with what is not analysed in it. Code without names is harmless. */
const SHELL: readonly (readonly [string, ...string[]])[] = [
  ['kubectl delete namespace prod', 'kubectl'],
  ['helm upgrade app ./chart', 'helm'],
  ['aws s3 cp secrets.txt s3://bucket', 'aws'],
  ['terraform apply -auto-approve', 'terraform'],
  ['docker push a/b', 'docker'],
  ['psql -c "drop table x"', 'psql'],
  ['gcloud sql instances delete x', 'gcloud'],
  ['mycorp-deploy', 'mycorp-deploy'],
  ['./bin/x', './bin/x'],
  ['/opt/tools/x', '/opt/tools/x'],
  ['make deploy', 'make'],
  ['npm run x', 'npm'],
  ['python -m x', 'python'],
  ['python3 -c "print(1)"', 'python3'],
  ['node x.js', 'node'],
  ['bash -c "kubectl get x; ls"', 'kubectl'],
  ['bash -c "$X"', 'bash'],
  ['echo ls | sh', 'sh'],
  ['ls | xargs rm', 'rm'],
  ["ls | xargs -I{} sh -c 'echo {}'", 'xargs'],
  ['env FOO=1 kubectl x', 'kubectl'],
  ['FOO=1 BAR="a b" kubectl x', 'kubectl'],
  ['sudo -u root helm x', 'helm', 'sudo'],
  ['time -p nice -n 5 timeout 10 kubectl x', 'kubectl'],
  ['command kubectl x', 'kubectl'],
  ['ls | grep x | kubectl apply -f -', 'kubectl'],
  ['ls && helm x || terraform y', 'helm', 'terraform'],
  ['x=$(kubectl get pods)', 'kubectl'],
  ['echo "a $(kubectl get "$(helm ls)") b"', 'kubectl', 'helm'],
  ['echo `kubectl get`', 'kubectl'],
  ['echo ${x:-$(kubectl get)}', 'kubectl'],
  ['diff <(kubectl a) <(ls)', 'kubectl'],
  ['$CMD x', 'code $CMD'],
  ['"${COMMAND[@]}"', 'code "${COMMAND[@]}"'],
  ['"$@"', 'code "$@"'],
  ['$(echo kubectl) x', 'code $(echo kubectl)'],
  ['source ./lib.sh', 'source'],
  ['. ./lib.sh', '.'],
  ['alias ls=kubectl', 'code alias'],
  ['cat <<EOF\nhelm $(kubectl x)\nEOF\nls', 'kubectl'],
  ["cat <<'EOF'\n$(kubectl x)\nEOF\nhelm x", 'helm'],
  ['bash <<EOF\nkubectl x\nEOF', 'bash'],
  ['f() {\n  kubectl x\n}\nf', 'kubectl'],
  ['kubectl() { ls; }\nkubectl x', 'kubectl'],
  ['tidy; tidy() { ls; }', 'tidy'],
  ['tidy() { ls; }\nbash -c tidy\nenv tidy', 'tidy'],
  ['if true; then kubectl x; elif helm y; then :; else terraform z; fi', 'kubectl', 'helm', 'terraform'],
  ['for x in a b; do kubectl "$x"; done', 'kubectl'],
  ['while kubectl x; do :; done', 'kubectl'],
  ['case "$1" in a|b) ls ;; *) kubectl x ;; esac', 'kubectl'],
  ['! kubectl x', 'kubectl'],
  ['(cd x && kubectl y)', 'kubectl'],
  ['{ kubectl x; } > /dev/null 2>&1', 'kubectl'],
  ['[[ $x =~ ^(a|b)+$ ]] && kubectl x', 'kubectl'],
  ["trap 'kubectl x' EXIT", 'kubectl'],
  ["trap -- 'kubectl x' EXIT", 'kubectl'],
  ["find . -name '*.md' -exec kubectl x {} \\;", 'kubectl'],
  ['find . -delete', 'find'],
  ["kub'ectl' x", 'kubectl'],
  ['\\kubectl x', 'kubectl'],
  ['k?bectl x', 'k?bectl'],
  ['ls\u00A0x', 'ls\u00A0x'],
  ['sed -i s/a/b/ x', 'sed'],
  ["sed 's/a/kubectl/e' x", 'sed'],
  ["sed 's/a/b/w y' x", 'sed'],
  ['O=-i; sed "$O" s/a/b/ x', 'sed'],
  ['awk \'{ system("kubectl") }\'', 'awk'],
  ['awk \'{ print | "kubectl" }\'', 'awk'],
  ['awk \'{ print > "x" }\'', 'awk'],
  ['awk -f x.awk', 'awk'],
  ['awk \'{ print $1,\n $2 > "x" }\'', 'awk'],
  ['sort -o x x', 'sort'],
  ['uniq a b', 'uniq'],
  ['rm -rf x', 'rm'],
  ['cp a b', 'cp'],
  ['echo a > b', 'code > b'],
  ['echo a >>"$b"', 'code >>"$b"'],
  ['cat < /dev/tcp/a/80', 'code < /dev/tcp/a/80'],
  ['exec 3<>/dev/tcp/a/80', 'code 3<>/dev/tcp/a/80'],
  ['PATH=./bin:$PATH ls', 'code PATH=./bin:$PATH'],
  ['export PATH="./bin:$PATH"', 'code PATH="./bin:$PATH"'],
  ['read PATH', 'code PATH'],
  ['printf -vPATH %s ./bin; ls', 'code -vPATH'],
  ["read -ra'PATH' < a; read 'PATH[0]' < a", "code -ra'PATH'", "code 'PATH[0]'"],
  ['read -r "$a" < b; printf -v "$c" d', 'code "$a"', 'code "$c"'],
  ['export $(cat .env)', 'code $(cat .env)'],
  ['declare "$a=$b"', 'code "$a=$b"'],
  ['unset PATH; : "${PATH:=./bin}"; ls', 'code ${PATH:=./bin}'],
  ['BASH_CMDS[ls]=./bin/x; ls', 'code BASH_CMDS[ls]=./bin/x'],
  ["BASH_ALIASES[ls]='kubectl'; ls", "code BASH_ALIASES[ls]='kubectl'"],
  ['x=\'$(kubectl)\'; echo "${x@P}"', 'code ${x@P}'],
  ["test -v 'a[$(kubectl)]'", "code 'a[$(kubectl)]'"],
  ['env', 'env'],
  ['echo "not closed', 'code unreadable shell code'],
  ['ls )', 'code unreadable shell code'],
  ['#!/usr/bin/env kubectl\nls', 'kubectl'],
  // Harmless code.
  ['set -euo pipefail\ncd "$(dirname "$0")/.."\nfor f in *.md; do wc -l "$f"; done'],
  ['grep -rn "a" . | sort -u | head -5 | cut -d: -f1'],
  ["sed -n '1,5p' x | sed -E 's/a|b/c/g; s#x#y#' | awk -F: '/a|b/ && $3 > 5 { print $1 }'"],
  ['jq -r \'.env | "x"\' a.json'],
  ['if [ -f x ]; then cat x 2>/dev/null; fi; echo "done" >&2'],
  ["find . -name '*.md' -exec grep -l x {} +"],
  ['x=$(date +%s); printf "%s\\n" "${x%0}"; test "$x" -gt $((1 + 2))'],
  ['while IFS= read -r line; do echo "$line"; done < x'],
  ['tidy() {\n  local a=$1\n  ls "$a"\n}\ntidy x'],
  ['case $1 in -h|--help) echo "kubectl";; esac # kubectl'],
  ["cat <<'EOF'\nkubectl delete\nEOF"],
  ['command -v kubectl >/dev/null || exit 1'],
  ["trap 'echo end' EXIT"],
  ['read -rp "$a" -t "$b" answer; printf "$c" "$d"; local e="$f" g; echo "${PATH:-x}"'],
];

describe('shell code', () => {
  for (const [code, ...names] of SHELL) {
    test(`${names.length === 0 ? 'is harmless' : 'is not analysed'}: ${JSON.stringify(code)}`, () => {
      assert.deepEqual([...inScript('a.bash', code)].sort(), [...new Set(names)].sort());
    });
  }

  test('is not read if its shell has another syntax', () => {
    assert.deepEqual(inScript('a.fish', 'set x (kubectl)'), ['code fish code']);
    assert.deepEqual(inScript('a.zsh', 'ls'), ['code zsh code']);
    assert.deepEqual(inScript('a.sh', '#!/bin/sh\n((kubectl delete))'), ['code unreadable shell code']);
  });
});

const PYTHON: readonly (readonly [string, ...string[]])[] = [
  ['import subprocess\nsubprocess.run(["kubectl", "x"])', 'kubectl'],
  ['import os\nos.system("helm upgrade x")', 'helm'],
  ['import os as o\no.remove("x")', 'code os.remove'],
  ['import os;x = os', 'code os'],
  ['from os import path, remove as r', 'module os.remove'],
  ['import shutil', 'module shutil'],
  ['import subprocess as s\ns.run(x)', 'module subprocess'],
  ['import importlib', 'module importlib'],
  ['__import__("os")', 'code __import__'],
  ['import numpy as np, json', 'module numpy'],
  ['import pptx.util\nfrom pptx.enum.text import X', 'module pptx'],
  ['from azure.storage import blob', 'module azure.storage'],
  ['if True: import shutil', 'module shutil'],
  ['import \\\n  shutil', 'module shutil'],
  ['from json import (\n  loads,\n  codecs)', 'module json.codecs'],
  ['import glob\nglob.os.system("x")', 'code .os', 'x'],
  ['f"{__import__(\'os\')}"', 'code __import__'],
  ['open("x", "w")', 'code open'],
  ['open(*a)\nopen( **b)', 'code open'],
  ['f = open', 'code open'],
  ['from pathlib import Path\nPath("x").write_text("y")', 'code .write_text'],
  ['import sys\nsys.path.insert(0, "x")', 'code sys.path'],
  ['import os\nprint(os.environ)', 'code os.environ'],
  ['# a\rimport shutil', 'module shutil'],
  ['𝐞𝐯𝐚𝐥("x")', 'code 𝐞𝐯𝐚𝐥'],
  ['# coding: rot13\n', 'code coding: rot13'],
  ['#!/usr/bin/env -S uv run --script\nprint(1)', 'uv'],
  // Harmless code.
  ['import argparse, json, re, sys\nfrom collections import Counter\nprint(re.sub("a", "b", sys.argv[1]))'],
  ['from pathlib import Path\ntext = Path(__file__).read_text(encoding="utf-8").replace("(", "")'],
  ['with open(path, encoding="utf-8") as f, open("x", "r") as g:\n  print(f.read())'],
  ['"""Use it:\n\nimport shutil\n"""\n# import shutil\nprint(f"{1 + 1} {{x}}")'],
  ['import os\nprint(os.path.join(os.getcwd(), "a"), os.environ.get("HOME"))'],
];

const JAVASCRIPT: readonly (readonly [string, ...string[]])[] = [
  ["import { execSync } from 'child_process';\nexecSync('kubectl x')", 'kubectl'],
  ["require('child_process').spawn('helm')", 'helm'],
  ["import x from 'lodash'", 'module lodash'],
  ["import x from '@a/b/c.js'", 'module @a/b'],
  ["export * from 'evil'", 'module evil'],
  ["import{writeFileSync}from'node:fs'", 'code fs.writeFileSync'],
  ["import fs from 'fs';\nfs.rmSync('x')", 'code fs.rmSync'],
  ["const fsp = require('fs').promises", 'code fs.promises'],
  ["const { promises: p } = require('fs'); p.rm('x')", 'code fs/promises.rm'],
  ["const x = require('chi' + 'ld')", 'code require'],
  ['await import(name)', 'code import('],
  ["await import('evil')", 'module evil'],
  ["/* a */ require('evil')", 'module evil'],
  ["a\n* require('evil')", 'module evil'],
  ["// a\u2028require('evil')", 'module evil'],
  ["x = `\n// ${require('evil')}\n`", 'module evil'],
  ["import /* a */ x from 'evil'", 'code import', 'code import /'],
  ["globalThis['ev' + 'al']('x')", 'code globalThis'],
  ["[].constructor.constructor('x')()", 'code .constructor'],
  ["process.binding('fs')", 'code process.binding'],
  ['const p = process', 'code process'],
  ["\\u0065val('x')", 'code \\u0065'],
  ["import x from './y.js'", 'module ./y.js'],
  ['x = { ...process }; x.kill(1)', 'code process'],
  ["import fs from 'fs'; x = { ...fs }; x.rmSync('y')", 'code fs'],
  ['x = { ...globalThis }', 'code globalThis'],
  ["arguments[1]('child_process')", 'code arguments[1]'],
  // Harmless code.
  ["import fs, { readFileSync } from 'node:fs';\nimport path from 'path';\nconsole.log(fs.existsSync(path.join('a')))"],
  [
    "// import x from 'evil'\n/*\n * require('evil')\n */\nclass A { constructor() {} }\nprocess.exit(process.argv.length)",
  ],
  ["const { readFileSync: read } = require('fs');\nmodule.exports = { read };\nif (require.main) read('a')"],
  ['if (require.main === module) main();\nif (module === require.main) main();'],
];

for (const [language, path, table] of [
  ['Python', 'a.py', PYTHON],
  ['JavaScript', 'a.mjs', JAVASCRIPT],
] as const) {
  describe(`${language} code`, () => {
    for (const [code, ...names] of table) {
      test(`${names.length === 0 ? 'is harmless' : 'is not analysed'}: ${JSON.stringify(code)}`, () => {
        assert.deepEqual([...inScript(path, code)].sort(), [...names].sort());
      });
    }
  });
}

test('scripts of the folder that are run or imported are analysed themselves', () => {
  const files = [
    { path: 'scripts/lib.sh', text: 'ls' },
    { path: 'scripts/notes.py', text: 'print(1)' },
    { path: 'scripts/x.js', text: '1' },
  ];
  const shell = 'source "$(dirname "$0")/lib.sh"\nbash lib.sh\npython3 scripts/notes.py a\nnode x.js\n./lib.sh\n';
  assert.deepEqual(inScript('scripts/go.sh', shell, files), []);
  // The script is analysed as shell code.
  assert.deepEqual(inScript('scripts/go.sh', 'python3 lib.sh', files), ['python3']);
  assert.deepEqual(inScript('scripts/go.sh', 'bash ../other/lib.sh\nnode -r ./x.js x.js', files), ['bash', 'node']);
  assert.deepEqual(inScript('scripts/go.py', 'import notes\nfrom .notes import x\nimport others', files), [
    'module others',
  ]);
  assert.deepEqual(inScript('scripts/go.js', "import './x.js';\nimport './x';\nimport '../x.js'", files), [
    'module ../x.js',
  ]);
});

describe('the text of a skill', () => {
  test('names the programs in fences, and in code spans that are commands', () => {
    assert.deepEqual(
      inText('```bash\nls\nkubectl delete <namespace>\n```\n\nThen use `helm upgrade x`, and run `mycorp-deploy`.'),
      ['kubectl', 'helm', 'mycorp-deploy'],
    );
  });

  test('does not count other code spans, data, and placeholders', () => {
    assert.deepEqual(inText('Run `/tidy-notes all`, or `/tidy-notes more`.'), []);
    const text =
      'The `kubectl` of `feature branch` has `make sure`.\n\n```yaml\nrun: kubectl\n```\n\n```\nopen questions\n- helm x\n```';
    assert.deepEqual(inText(text), []);
    assert.deepEqual(inText('```console\n$ ls\nkubectl is printed\n```\n\n```bash\ngrep <word> <file>\n...\n```'), []);
  });

  test('names the programs in indented code', () => {
    assert.deepEqual(inText('Run it:\n\n    kubectl delete namespace prod\n'), ['kubectl']);
  });

  test('names code in other languages and modules, and commands in plain fences', () => {
    const text = '```powershell\nRemove-Item x\n```\n\n```python\nimport pdfplumber\n```\n\n```\nkubectl get pods\n```';
    assert.deepEqual(inText(text), ['code powershell', 'module pdfplumber', 'kubectl']);
  });

  test('does not hide a command after a comment that ends with a backslash', () => {
    assert.deepEqual(inText('```bash\n# a \\\nkubectl x\n```'), ['kubectl']);
  });

  test('names the programs of hooks and of commands that run automatically, but not those of prompts', () => {
    const hooks = 'hooks:\n  Stop:\n    - hooks: [{type: command, command: helm x}, {type: prompt, prompt: Go on.}]\n';
    assert.deepEqual(inText('On !`kubectl get`.', hooks), ['helm', 'kubectl']);
  });

  test('names the programs of other Markdown files, with their path', () => {
    const { commands } = abilities([{ path: 'references/a.md', text: '> ```sh\n> kubectl x\n> ```\n' }]);
    assert.deepEqual(
      commands.map(({ path, name }) => [path, name]),
      [['references/a.md', 'kubectl']],
    );
  });

  test('does not name a program that runs a scanned script of the folder', () => {
    const files = [{ path: 'scripts/a.py', text: 'print(1)' }];
    assert.deepEqual(inText('Run `python3 scripts/a.py x` or `scripts/a.py`.', '', files), []);
    assert.deepEqual(inText('Run `python3 scripts/b.py x`.', '', files), ['python3']);
  });
});

test('scripts in other languages and build files are listed as not scanned', () => {
  const paths = ['a.rb', 'a.ps1', 'a.ipynb', 'Makefile', 'build/Dockerfile', 'a.sql', 'bin/a'];
  const { scripts } = abilities(paths.map((path) => ({ path, text: path === 'bin/a' ? '#!/usr/bin/perl\n' : 'x' })));
  assert.deepEqual(
    scripts.map(({ path, language }) => [path, language]),
    paths.map((path) => [path, 'other']),
  );
});

test('names do not contain secrets or code that cannot be read, and have a limit', () => {
  assert.deepEqual(inScript('a.sh', '$(echo AKIAQ3KZVTN5WJ2XRYB7) x'), ['code $(echo …']);
  assert.deepEqual(inScript('a.sh', 'x="SECRET'), ['code unreadable shell code']);
  assert.equal(inScript('a.sh', 'a'.repeat(1000))[0]?.length, 61);
});

// Slow, because only long strings show that an algorithm is quadratic.
test('reads hostile code quickly', () => {
  const parts = [
    ...[
      '$(',
      '`',
      '"$(',
      '${a:-',
      '((',
      '$((',
      '(',
      '{ ',
      'case x in ',
      'a=(',
      "bash -c '",
      'env ',
      'xargs find . -exec ',
    ],
    ...['<<A\n$(', 'if ', 'a() {', 'sed ', "awk '/", '"', "'", '\\', ';', 'a=b ', 'a ', '<(', 'sudo -u '],
    ...['import a,', 'from a import (', 'import ', "f'{", '"""', 'os.', 'x.replace(', 'open(', 'é', '__code__'],
    ...[
      "require('",
      'import {a ',
      'export ',
      'let a ',
      '/*',
      '/*\n',
      '//\n',
      '\n\n    kubectl x',
      '`${',
      'process.',
      '\\u0065',
      '```sh\n',
      '`a ',
    ],
  ];
  for (const part of parts) {
    const text = part.repeat(scaled(900_000) / part.length);
    const files = ['bash', 'py', 'js', 'md'].map((ending) => ({ path: `a.${ending}`, text }));
    withoutHang(() => abilities(files, `\`\`\`sh\n${text}\n\`\`\``), part);
  }
});
