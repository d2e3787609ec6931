/** What a sample expects, as it is written (docs/testing.md, "What a sample expects"). */
import { findValue, listItems, numberOf, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import { type Named, namedOf } from '../skill/contract.ts';
import type { Span } from '../text.ts';
import { type Assertion, readAssertions } from './assertion.ts';

export interface Expectation {
  readonly prompt: readonly Assertion[];
  readonly output: readonly Assertion[];
  /** Names that are to be there, among others. */
  readonly tools: readonly Named[];
  readonly taken: readonly Named[];
  readonly leftOut: readonly Named[];
  readonly interrupts: readonly Named[];
  readonly nodes: readonly Named[];
  readonly maxTokens: { readonly value: number; readonly span: Span } | undefined;
  /** The place of `snapshot: true`. */
  readonly snapshot: Span | undefined;
  /** The kind of error with which composing is to end. */
  readonly fails: Named | undefined;
}

/** `sample` is the value of a sample; without an `expect` nothing is expected of it but that it composes. */
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
  };
}
