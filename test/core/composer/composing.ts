/** Composes small workspaces given as strings, in the same steps as a host: files, package, request, composition. */
import { strict as assert } from 'node:assert';
import type { Analysis } from '../../../server/src/analysis/analysis.ts';
import { invocationContextOf } from '../../../server/src/analysis/package-of.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { createComposer } from '../../../server/src/composer/compose.ts';
import type { ComposeError, Composition } from '../../../server/src/composer/composition.ts';
import { type Prepared, type PrepareOptions, prepareRequest } from '../../../server/src/composer/prepare.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';

/** One composer for all tests of a process, since it takes a while to load. */
export const { compose } = createComposer();

export const FENCE = '```';

/** File contents by path; the first file is composed. A string is the text of a single skill without a catalog. */
export type Files = Readonly<Record<string, string>> | string;

export interface Options extends PrepareOptions {
  readonly sample?: string;
}

function opened(files: Files): { readonly analysis: Analysis; readonly uri: string; readonly text: string } {
  const all = typeof files === 'string' ? { 'skills/test.skill.md': files } : files;
  const workspace = new Workspace();
  for (const [path, text] of Object.entries(all))
    workspace.apply({ kind: 'text', uri: `file:///skills-here/${path}`, text });
  const [path, text] = Object.entries(all).find(([name]) => /\.skill\.(md|yaml)$|SKILL\.md$/.test(name)) ?? ['', ''];
  return { analysis: workspace.analysis, uri: `file:///skills-here/${path}`, text };
}

export function prepared(files: Files, { sample, ...options }: Options = {}): Prepared {
  const { analysis, uri } = opened(files);
  const skillPackage = checkedPackageOf(analysis, uri);
  assert.ok(skillPackage, `${uri} is not a skill`);
  // The result is sent to a worker, so it must be plain data.
  assert.deepEqual(structuredClone(skillPackage), skillPackage);
  return prepareRequest(skillPackage, invocationContextOf(analysis, uri), sample, options);
}

export function composed(files: Files, options: Options = {}): Composition {
  const result = compose(prepared(files, options).request);
  if (!result.ok) assert.fail(`does not compose:\n${result.errors.map(({ message }) => `- ${message}`).join('\n')}`);
  return result.composition;
}

export interface Failure extends ComposeError {
  /** The text at the error's span. */
  readonly at: string;
}

export function failures(files: Files, options: Options = {}): readonly Failure[] {
  const all = typeof files === 'string' ? { 'skills/test.skill.md': files } : files;
  const result = compose(prepared(files, options).request);
  if (result.ok) assert.fail('it composes');
  return result.errors.map((error) => {
    const text = all[error.uri.replace('file:///skills-here/', '')] ?? '';
    return { ...error, at: text.slice(error.span.start, error.span.end) };
  });
}

/** One line for each error: its kind, the text at its span, and its message. */
export const errorLines = (errors: readonly Failure[]): readonly string[] =>
  errors.map(({ kind, at, message }) => `${kind} at ${JSON.stringify(at)}: ${message}`);

/** A skill with the mandatory keys; `head` adds further keys. */
export const skill = (head: string, body: string): string =>
  `---\nname: test\ndescription: Tests one thing.\nversion: 1.0.0\n${/^input_schema:/m.test(head) ? '' : 'input_schema: {}\n'}${head}---\n${body}`;
