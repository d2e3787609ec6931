/** The names of files that are allowed on every operating system, and names that some file system treats as one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { URI } from 'vscode-uri';
import { foldedPath, namesProblem } from '../../../server/src/skill/kebab-name.ts';
import { nameFromUri, resolvePath } from '../../../server/src/vocabulary/dialect.ts';
import { cases } from '../../random.ts';

describe('the name of a file', () => {
  it('is refused if some operating system forbids or changes it, with the reason', () => {
    const reasons: Readonly<Record<string, readonly string[]>> = {
      'has the name of a Windows device': [
        'CON',
        'aux.md',
        'con.skill.md',
        'LPT\u00b9',
        'com9 .md',
        'a/nul/b.md',
        'ＣＯＮ',
      ],
      'has a name that ends with a period or a space, which Windows removes': ['a.', 'a ', 'a\u00a0', 'a./b.md'],
      'has a character that Windows does not allow': ['a:b', 'a?', 'a\\b', 'a|b', '"a"'],
      'has a name that begins with a space, which is not visible': [' a.md', 'b/\u3000a.md'],
      'has an invisible character (U+3164)': ['a\u3164.md'],
      'is a file of git': ['.git/config', '.GIT', 'git~1'],
      'has a short name of Windows, which may name another file': ['CLAUDE~1/settings.json', 'vscode~2', 'MCP~1.JSO'],
    };
    for (const [reason, names] of Object.entries(reasons)) {
      for (const name of names) assert.equal(namesProblem(name), reason, name);
    }
  });

  it('is allowed otherwise', () => {
    for (const name of ['console.md', 'com10', 'a b.md', '.claude/x', '日本語.md', 'notes.txt~', 'a~1b', 'm².md'])
      assert.equal(namesProblem(name), undefined, name);
  });
});

describe('a folded path', () => {
  it('does not depend on the case and the normal form of the path, and is its own folded path', () => {
    const path = fc.string({ unit: 'grapheme', maxLength: 12 });
    const letters = fc.string({ unit: fc.constantFrom(...'aAßẞsSſkKiIıİǰΐﬁςΣσÅå\u0307\u0327\u0345'), maxLength: 12 });
    fc.assert(
      fc.property(fc.oneof(path, letters), (text) => {
        const folded = foldedPath(text);
        assert.equal(foldedPath(folded), folded);
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) assert.equal(foldedPath(text.normalize(form)), folded);
        // The case of a text is only defined for its normal form, because U+0345 becomes the letter iota.
        assert.equal(foldedPath(text.normalize('NFD').toUpperCase()), folded);
        assert.equal(foldedPath(text.normalize('NFD').toLowerCase()), folded);
      }),
      cases(300),
    );
  });
});

it('an unsaved file is named like its tab', () => {
  assert.equal(nameFromUri('untitled:Untitled-2'), 'Untitled-2');
});

describe('the URI of a path in a folder', () => {
  it('has the form of VS Code for every name', () => {
    const signs = [...' !"#$%&\'()*+,-.:;<=>?@[]^_`{|}~äé漢😀'].map((sign) => `x${sign}y`);
    for (const name of signs)
      assert.equal(resolvePath('file:///w/a', `../b/${name}`), URI.file(`/w/b/${name}`).toString(), name);
  });
});
