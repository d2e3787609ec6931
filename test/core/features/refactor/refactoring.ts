/** Files with a cursor `$0` or a selection `«…»`, and the result of each refactoring that is offered there. */
import { strict as assert } from 'node:assert';
import type { CodeAction } from 'vscode-languageserver-types';
import { Workspace } from '../../../../server/src/analysis/workspace.ts';
import { utf16 } from '../../../../server/src/features/locate.ts';
import { refactorActions } from '../../../../server/src/features/refactor/actions.ts';
import { check } from '../../../../server/src/rules/engine/check.ts';
import { applyEdits, span } from '../../../../server/src/text.ts';

const URI = 'file:///skills-here/skills/test.skill.md';

const CATALOG = 'tools:\n  - {name: read_page}\n  - {name: save_page}\n  - {name: find_page}\n';

export interface OfferedRefactoring {
  readonly title: string;
  readonly text: string;
  /** The name that the client is asked to rename, if any. */
  readonly renames: string | undefined;
}

function offersIn(marked: string, others: Readonly<Record<string, string>> = {}): readonly OfferedRefactoring[] {
  const from = marked.search(/\$0|«/);
  assert.ok(from >= 0, 'no cursor `$0` and no selection `«…»`');
  const to = marked.includes('»') ? marked.indexOf('»') - 1 : from;
  const text = marked.replace(/\$0|«|»/g, '');
  const workspace = new Workspace();
  for (const [path, other] of Object.entries({ 'skills.config.yaml': CATALOG, ...others })) {
    workspace.apply({ kind: 'text', uri: `file:///skills-here/${path}`, text: other });
  }
  workspace.apply({ kind: 'text', uri: URI, text });
  const analysis = workspace.analysis;
  const file = analysis.file(URI);
  assert.ok(file);
  const actions = refactorActions(analysis, file, utf16.range(file, span(from, to)), {}, utf16, 'rename');
  return actions.map((action) => {
    const changed = applyEdits(text, editsOf(action, file));
    workspace.apply({ kind: 'text', uri: URI, text: changed });
    const after = workspace.analysis.file(URI);
    assert.ok(after);
    const rulesOf = (of: typeof after, at = workspace.analysis) => check(of, at).map(({ rule }) => rule);
    const known = rulesOf(file, analysis);
    assert.deepEqual(
      rulesOf(after).filter((rule) => !known.includes(rule)),
      [],
      `${action.title}: new findings`,
    );
    const position = action.command?.arguments?.[0]?.position;
    const at = position && utf16.offset(after, position);
    const renames = at === undefined ? undefined : /^[\w-]+/.exec(changed.slice(at))?.[0];
    return { title: action.title, text: changed, renames };
  });
}

function editsOf({ edit }: CodeAction, file: Parameters<typeof utf16.offset>[0]) {
  return (edit?.changes?.[URI] ?? []).map(({ range, newText }) => ({
    span: span(utf16.offset(file, range.start), utf16.offset(file, range.end)),
    newText,
  }));
}

export const titlesIn = (marked: string, others?: Readonly<Record<string, string>>): readonly string[] =>
  offersIn(marked, others).map(({ title }) => title);

/**
 * Returns the file after the refactoring with this title. If `withCrlf` is true, asserts that a file with `\r\n`
 * has the same result.
 */
export function refactored(
  title: string,
  marked: string,
  withCrlf = true,
  others: Readonly<Record<string, string>> = {},
): OfferedRefactoring {
  const offers = offersIn(marked, others);
  const offer = offers.find((one) => one.title === title);
  if (!offer) assert.fail(`\`${title}\` is not offered, but ${offers.map((one) => one.title).join(', ') || 'nothing'}`);
  if (!withCrlf) return offer;
  const crlf = offersIn(marked.replaceAll('\n', '\r\n'), others).find((one) => one.title === title);
  assert.equal(crlf?.text, offer.text.replaceAll('\n', '\r\n'), 'with CRLF');
  return offer;
}

export const skill = (head: readonly string[], ...body: string[]): string =>
  ['---', 'name: test', 'description: Tests.', 'version: 1.0.0', ...head, '---', '', ...body, ''].join('\n');
