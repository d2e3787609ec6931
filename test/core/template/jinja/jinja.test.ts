/**
 * The page `docs/jinja.md`, which shows where MiniJinja and Jinja2 differ. The engine renders each template of
 * `rows.json`; `results.json` has the results of Jinja2, which `results.py` writes. `UPDATE_EXPECT=1` writes the page.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseEngineMessage } from '../../../../server/src/composer/render/engine.ts';
import { engine } from '../../composer/rendering.ts';
import jinja2 from './results.json' with { type: 'json' };
import data from './rows.json' with { type: 'json' };

interface Row {
  readonly template: string;
  /** The template in Jinja2, if it is another one. */
  readonly jinja?: string;
  /** A template with the same result here as Jinja2 has. */
  readonly instead?: string;
  /** The result of `instead`, if it differs from that of Jinja2. */
  readonly gives?: string;
  /** Markdown. */
  readonly note?: string;
}

const groups: readonly { readonly title: string; readonly text: string; readonly rows: readonly Row[] }[] = data.groups;
const rows = groups.flatMap((group) => group.rows);
const results: Readonly<Record<string, string>> = jinja2.results;

/** The text that the engine renders, or `! ` and the kind of its error. */
function here(template: string): string {
  const outcome = engine.run([{ name: 'row', text: template }], 'row', data.values);
  if (outcome.kind === 'text') return outcome.text;
  return `! ${outcome.kind === 'trap' ? 'crash' : parseEngineMessage(outcome.message).kind}`;
}

const there = ({ template, jinja = template }: Row): string => results[jinja] ?? '! missing';

/** A result without the spellings of Python, which are the same value: `True`, `None`, `'a'`. */
const plain = (result: string): string =>
  result.replaceAll("'", '"').replaceAll(/\b(?:True|False|None)\b/g, (word) => word.toLowerCase());

const isError = (result: string): boolean => result.startsWith('! ');

/** A template or its result in a cell of a table. */
const code = (text: string): string => `\`${text.replaceAll('\r', '␍').replaceAll('\n', '⏎').replaceAll('|', '\\|')}\``;

function shown(result: string): string {
  if (isError(result)) return 'error';
  return result === '' ? 'empty' : code(result);
}

/** The result of the engine; an error with its kind. */
function shownHere(template: string): string {
  const result = here(template);
  return isError(result) ? `error: ${result.slice(2)}` : shown(result);
}

function line(row: Row): string {
  const { template, instead, gives, note } = row;
  const advice = [instead && code(instead) + (gives ? `, which prints ${code(gives)}` : ''), note];
  return `| ${code(template)} | ${shownHere(template)} | ${shown(there(row))} | ${advice.filter(Boolean).join('; ')} |`;
}

const tables = groups
  .map(({ title, text, rows: list }) =>
    [
      `## ${title}`,
      ...(text === '' ? [] : ['', text]),
      ...['', '| template | here | Jinja2 | write instead |', '|---|---|---|---|'],
      ...list.map(line),
    ].join('\n'),
  )
  .join('\n\n');

const valuesShown = Object.entries(data.values)
  .map(([name, value]) => `- \`${name}\`: \`${JSON.stringify(value).replaceAll(/([,:])(?=["{[\d])/g, '$1 ')}\``)
  .join('\n');

describe('the page about Jinja', () => {
  it('has the results of this engine and of Jinja2', () => {
    const path = 'docs/jinja.md';
    const page = readFileSync(path, 'utf8');
    const version = `Jinja2 ${jinja2.version} in Python ${jinja2.python}`;
    const generated = `<!-- generated -->\n\nThe examples use these values, and the column *Jinja2* has the results of ${version}:\n\n${valuesShown}\n\n${tables}\n\n<!-- end -->`;
    const expected = page.replace(/<!-- generated -->[\s\S]*<!-- end -->/, () => generated);
    if (process.env.UPDATE_EXPECT === '1') writeFileSync(path, expected);
    else assert.equal(page, expected, '`UPDATE_EXPECT=1 npm run test:core -- --filter core/template/jinja` writes it');
  });

  it('has a template once, and a result of Jinja2 for each', () => {
    assert.equal(new Set(rows.map(({ template }) => template)).size, rows.length);
    const templates = rows.map(({ template, jinja = template }) => jinja);
    assert.deepEqual([...new Set(templates)].sort(), Object.keys(results).sort(), 'Run `results.py`');
  });

  for (const row of rows) {
    const { template, instead, gives, note } = row;
    it(`differs: ${template}`, () => {
      assert.notEqual(plain(here(template)), plain(there(row)), 'The results are equal: remove the row');
      assert.ok(instead ?? note, 'a row without advice');
      if (instead !== undefined) assert.equal(plain(here(instead)), plain(gives ?? there(row)), instead);
    });
  }
});
