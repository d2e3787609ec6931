/** Laws of the scan for what is not analysed (docs/abilities.md, "Not analysed"). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { abilitiesOf } from '../../server/src/abilities/abilities.ts';
import { HARMLESS_COMMANDS, WRAPPERS } from '../../server/src/abilities/harmless.ts';
import { SkillFile } from '../../server/src/skill/skill-file.ts';

const skill = (body: string) =>
  new SkillFile('file:///w/a/SKILL.md', `---\nname: a\ndescription: Does it.\n---\n\n${body}\n`);

/** Everything that prevents an all-clear for a script. */
const shownFor = (path: string, text: string) =>
  abilitiesOf(skill('Do it.'), [{ path, text }]).scripts.flatMap(({ reaches, unanalysed }) => [
    ...reaches.map(({ by }) => by),
    ...unanalysed.map(({ name }) => name),
  ]);

const RESERVED = new Set(
  'if then elif else fi while until do done case esac for select in function time coproc'.split(' '),
);

/** A program that is not in the tables. */
const program = fc
  .stringMatching(/^[a-z][a-z0-9-]{1,10}$/)
  .filter((word) => !HARMLESS_COMMANDS.has(word) && !WRAPPERS.has(word) && !RESERVED.has(word))
  .filter(
    (word) => !['sed', 'awk', 'gawk', 'mawk', 'nawk', 'find', 'uniq', 'trap', 'source', 'eval', 'alias'].includes(word),
  );
const argument = fc.constantFrom(
  'x',
  '-a',
  '--all',
  '"$1"',
  "'a b'",
  '"a $x"',
  '$x',
  '2>/dev/null',
  '<x',
  '*.md',
  'a=b',
);
const command = fc
  .tuple(program, fc.array(argument, { maxLength: 3 }))
  .map(([name, args]) => [name, ...args].join(' '));

/** Code that runs another command, or has it in a place where a shell runs it. */
const around: readonly ((code: string) => string)[] = [
  (code) => code,
  (code) => `ls\n${code}`,
  (code) => `ls; ${code} | sort`,
  (code) => `ls && ${code} || true`,
  (code) => `if ${code}; then ls; fi`,
  (code) => `if ls; then\n  ${code}\nfi`,
  (code) => `for x in a b; do ${code}; done`,
  (code) => `while true; do ${code}; done < x`,
  (code) => `case $1 in\n  a) ls ;;\n  *) ${code} ;;\nesac`,
  (code) => `f() {\n  ${code}\n}\nf`,
  (code) => `x=$( ${code})`,
  (code) => `echo "a $( ${code}) b"`,
  (code) => `echo "\${x:-$( ${code})}"`,
  (code) => `(cd x && ${code})`,
  (code) => `{ ${code}; }`,
  (code) => `x=1 y='a b' ${code}`,
  (code) => `env A=b ${code}`,
  (code) => `! ${code}`,
  (code) => `cat <<EOF\na $( ${code})\nEOF`,
  (code) => `cat <<'EOF'\nls\nEOF\n${code}`,
  (code) => `diff <(${code}) <(ls)`,
  (code) => `[[ -f x ]] && ${code}`,
  (code) => `ls | xargs ${code}`,
  (code) => `x=(a $( ${code}))`,
  (code) => `# ls\n${code} # ls`,
];

const nested = fc
  .tuple(command, fc.array(fc.constantFrom(...around), { maxLength: 3 }))
  .map(([code, wraps]) => wraps.reduce((inner, wrap) => wrap(inner), code));

describe('a script with a program that is not known', () => {
  test('never gets an all-clear, wherever the program is', () => {
    fc.assert(
      fc.property(nested, fc.constantFrom('a.sh', 'a.bash', 'bin/a'), (code, path) => {
        assert.notDeepEqual(shownFor(path, path === 'bin/a' ? `#!/bin/bash\n${code}` : code), []);
      }),
      { numRuns: 500 },
    );
  });

  test('is named in a fence of a skill', () => {
    fc.assert(
      fc.property(nested, (code) => {
        assert.notDeepEqual(abilitiesOf(skill(`\`\`\`\`bash\n${code}\n\`\`\`\``), []).commands, []);
      }),
    );
  });

  test('never gets an all-clear in a hook', () => {
    fc.assert(
      fc.property(command, (code) => {
        const head = `---\nname: a\ndescription: Does it.\nhooks:\n  Stop: [{command: ${JSON.stringify(code)}}]\n---\n`;
        assert.notDeepEqual(abilitiesOf(new SkillFile('file:///w/a/SKILL.md', head), []).commands, []);
      }),
    );
  });
});

describe('a script with a module that is not known', () => {
  const module = fc.stringMatching(/^z[a-z]{2,9}$/);
  const imports: readonly (readonly [string, (name: string) => string])[] = [
    ['a.py', (name) => `import ${name}`],
    ['a.py', (name) => `import os, ${name} as x`],
    ['a.py', (name) => `from ${name}.a import (\n  b,\n  c\n)`],
    ['a.py', (name) => `if True:\n\tfrom ${name} import x`],
    ['a.py', (name) => `"""a"""; import ${name}`],
    ['a.py', (name) => `x = f"{__import__('${name}')}"`],
    ['a.js', (name) => `import x from '${name}'`],
    ['a.js', (name) => `import {a,b as c} from"${name}/x"`],
    ['a.js', (name) => `const {a} = require('${name}')`],
    ['a.ts', (name) => `export * from '${name}'`],
    ['a.mjs', (name) => `await import("${name}")`],
    ['a.mjs', (name) => `await import(\`${name}\`)`],
    ['a.mjs', (name) => `/* a */ import '${name}'`],
  ];

  test('never gets an all-clear', () => {
    fc.assert(
      fc.property(
        module,
        fc.constantFrom(...imports),
        fc.constantFrom('', '\n', '# a\n', '// a\n'),
        (name, [path, wrap], before) => {
          assert.notDeepEqual(
            shownFor(
              path,
              `${path.endsWith('py') ? before.replace('//', '#') : before.replace('#', '//')}${wrap(name)}\n`,
            ),
            [],
          );
        },
      ),
    );
  });
});

test('the scan of random code throws nothing, and its spans are in the text', () => {
  const part = fc.constantFrom(
    ...'$ ( ) { } [ ] " \' ` \\ ; & | < > # = ! * \n << EOF case esac in do done if fi for $( ${ (( )) import from f" {{ /* */ // require( a - x.y'.split(
      ' ',
    ),
    '\n',
    ' ',
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 40 }).map((parts) => parts.join('')),
      fc.constantFrom('a.bash', 'a.py', 'a.js', 'a.md'),
      (text, path) => {
        const { scripts, commands } = abilitiesOf(skill('Do it.'), [{ path, text }]);
        for (const { span } of [...scripts.flatMap(({ unanalysed }) => unanalysed), ...commands])
          assert.ok(0 <= span.start && span.start <= span.end && span.end <= text.length, JSON.stringify(span));
      },
    ),
    { numRuns: 1000 },
  );
});
