/** The delimiters that the editor closes while an author types. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

interface Pair {
  readonly open: string;
  readonly close: string;
}

describe('the pairs of delimiters', () => {
  for (const name of ['language-configuration.json', 'template-configuration.json']) {
    // VS Code does not close the first `{` on a line that it has not colored yet, so it would close `{%` with the whole
    // `%}`. VS Code then types over only the first character of a closing delimiter, so the `}` would remain.
    it(`close a template's delimiters one character at a time in ${name}`, () => {
      const { autoClosingPairs }: { readonly autoClosingPairs: readonly Pair[] } = JSON.parse(
        readFileSync(`syntaxes/${name}`, 'utf8'),
      );
      const ofTemplates = autoClosingPairs.filter(({ open }) => open.startsWith('{'));
      assert.deepEqual(
        ofTemplates.map(({ open, close }) => `${open}|${close}`),
        ['{|}', '{%|%', '{#|#', '{{ | ', '{% | ', '{# | '],
      );
    });
  }
});
