/** The expectations of a sample, as written in the file (docs/testing.md, "Expectations of a sample"). */

import { canonical, isObject } from '../languages/schema/schema.ts';
import { insertEntry, setScalar } from '../languages/yaml/edit.ts';
import {
  findValue,
  isNull,
  type Json,
  jsonOf,
  listItems,
  numberOf,
  stringOf,
  type YamlNode,
} from '../languages/yaml/node.ts';
import { findSkillEntry, type Named, namedOf } from '../skill/contract.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { applyEdits, type Span, type TextEdit } from '../text.ts';
import { type Assertion, readAssertions } from './assertion.ts';

export interface Expectation {
  readonly prompt: readonly Assertion[];
  readonly output: readonly Assertion[];
  /** Names that must be present; other names may also be present. */
  readonly tools: readonly Named[];
  readonly taken: readonly Named[];
  readonly leftOut: readonly Named[];
  readonly interrupts: readonly Named[];
  readonly nodes: readonly Named[];
  readonly maxTokens: { readonly value: number; readonly span: Span } | undefined;
  /** The span of the value of `snapshot: true`. */
  readonly snapshot: Span | undefined;
  /** The kind of composition error that the sample expects. */
  readonly fails: Named | undefined;
  /** The steps and stages of a run, in order. */
  readonly path: { readonly names: readonly Named[]; readonly span: Span } | undefined;
  /** The exit condition that a run must meet. */
  readonly exit: Named | undefined;
}

/** Reads the expectations from the value of a sample. Without `expect`, the sample only has to compose. */
export function readExpectation(sample: YamlNode): Expectation {
  const expect = findValue(sample, 'expect');
  const names = (node: YamlNode | undefined): readonly Named[] =>
    listItems(node).flatMap((item) => {
      const name = stringOf(item) ?? stringOf(findValue(item, 'name'));
      return name === undefined ? [] : [{ name, span: item.span }];
    });
  const artifacts = findValue(expect, 'artifacts');
  const max = findValue(findValue(expect, 'tokens'), 'max');
  const maxTokens = numberOf(max);
  const snapshot = findValue(expect, 'snapshot');
  const fails = findValue(expect, 'fails');
  const path = findValue(expect, 'path');
  const exit = findValue(expect, 'exit');
  return {
    prompt: readAssertions(findValue(expect, 'prompt')),
    output: readAssertions(findValue(expect, 'output')),
    tools: names(findValue(expect, 'tools')),
    taken: names(findValue(artifacts, 'taken')),
    leftOut: names(findValue(artifacts, 'left_out')),
    interrupts: names(findValue(expect, 'interrupts')),
    nodes: names(findValue(expect, 'nodes')),
    maxTokens: max && maxTokens !== undefined ? { value: maxTokens, span: max.span } : undefined,
    snapshot: snapshot?.kind === 'scalar' && snapshot.value === true ? snapshot.span : undefined,
    fails: fails && namedOf(fails),
    path: path?.kind === 'list' ? { names: names(path), span: path.span } : undefined,
    exit: exit && namedOf(exit),
  };
}

// Adds `snapshot: true` to a sample (docs/testing-vscode.md, "Saving a prompt").

/** Returns the smallest edits; empty if the sample has the key, undefined if it cannot be added. */
export function expectSnapshot(file: SkillFile, sample: string): readonly TextEdit[] | undefined {
  const node = sampleIn(file, sample);
  if (!node) return undefined;
  if (readExpectation(node).snapshot) return [];
  const edits = editsFor(file.text, node);
  const after = new SkillFile(file.uri, applyEdits(file.text, edits));
  const written = sampleIn(after, sample);
  if (edits.length === 0 || after.frontmatter.tree.broken || !written || !readExpectation(written).snapshot)
    return undefined;
  return canonical(withoutSnapshot(file, sample)) === canonical(withoutSnapshot(after, sample)) ? edits : undefined;
}

function editsFor(text: string, sample: YamlNode): readonly TextEdit[] {
  if (sample.kind !== 'map' && sample.kind !== 'scalar') return [];
  const expect = findValue(sample, 'expect');
  if (!expect) return insertEntry(text, sample, 'expect', '{snapshot: true}');
  const snapshot = findValue(expect, 'snapshot');
  if (snapshot?.kind === 'scalar') return setScalar(text, snapshot, true);
  if (snapshot || (expect.kind !== 'map' && !(expect.kind === 'scalar' && isNull(expect)))) return [];
  return insertEntry(text, expect, 'snapshot', 'true');
}

const samplesIn = ({ frontmatter }: SkillFile): YamlNode | undefined =>
  findSkillEntry(frontmatter.tree.root, 'samples')?.value;

const sampleIn = (file: SkillFile, name: string): YamlNode | undefined => findValue(samplesIn(file), name);

/** Returns all data except the `snapshot` of the sample; the edits must not change this data. */
function withoutSnapshot(file: SkillFile, sample: string): Json {
  const all = jsonOf(file.frontmatter.tree.root);
  const own = jsonOf(sampleIn(file, sample));
  const rest = isObject(own) ? own : {};
  const { expect = null, ...values } = rest;
  const { snapshot: _, ...others } = isObject(expect) ? expect : {};
  const samples = jsonOf(samplesIn(file));
  const { [sample]: _own, ...siblings } = isObject(samples) ? samples : {};
  const key = String(findSkillEntry(file.frontmatter.tree.root, 'samples')?.key.value);
  const { [key]: _samples, ...frontmatter } = isObject(all) ? all : {};
  return [frontmatter, siblings, values, others];
}
