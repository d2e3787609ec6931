/** The examples of a skill as tests of its contract (docs/testing.md, "Examples"). */
import type { Schema } from '../languages/schema/schema.ts';
import { findValue, type Json, jsonOf, type YamlNode } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, sliceOf } from '../text.ts';
import { type Assertion, readAssertions, violationsOf } from './assertion.ts';
import { checkAssertions } from './check-sample.ts';
import type { TestResult } from './result.ts';

export interface Example {
  readonly name: string;
  readonly span: Span;
  readonly input: Side | undefined;
  readonly output: Side;
  readonly assertions: readonly Assertion[];
}

/** The text of an input or output, with its data if it has data. */
interface Side {
  readonly text: string;
  readonly data: Json | undefined;
}

/** Returns the strings whose tokens `exampleTests` counts. */
export const exampleTexts = (file: SkillFile): readonly string[] =>
  examplesOf(file).flatMap(({ assertions, output }) =>
    assertions.some((one) => one.type === 'length' && one.unit === 'tokens') ? [output.text] : [],
  );

/**
 * Checks the input and output of each example with an output against the contract, and the output against its
 * assertions.
 */
export function exampleTests(file: SkillFile, countTokens: (text: string) => number): readonly TestResult[] {
  const { input, output } = file.contract;
  return examplesOf(file).flatMap((example) => [
    fits(example, input?.schema, output?.schema),
    ...checkAssertions(
      'example',
      example,
      example.assertions,
      { prompt: example.output.text, segments: [] },
      countTokens,
    ),
  ]);
}

function fits(
  { name, span, input, output }: Example,
  ofInput: Schema | undefined,
  ofOutput: Schema | undefined,
): TestResult {
  const wrong = [
    ...(input?.data === undefined ? [] : violationsOf(ofInput, input.data).map((one) => `Input: ${one}`)),
    ...(output.data === undefined ? [] : violationsOf(ofOutput, output.data).map((one) => `Output: ${one}`)),
  ];
  const test = { kind: 'example', name, of: name, span } as const;
  return wrong.length === 0 ? { ...test, status: 'passed' } : { ...test, status: 'failed', message: wrong.join(' ') };
}

/** Returns data as the text of an output. */
function asText(data: Json | undefined): string | undefined {
  return typeof data === 'object' ? JSON.stringify(data, undefined, 2) : data === undefined ? undefined : String(data);
}

/** Returns the examples with an output. */
export const examplesOf = (file: SkillFile): readonly Example[] => [
  ...ofContract(file),
  // The body of a `SKILL.md` has no artifacts, so it is not parsed.
  ...(file.dialect === 'agent-skill' ? [] : ofBody(file)),
];

function ofContract({ contract }: SkillFile): readonly Example[] {
  const sideOf = (node: YamlNode): Side => {
    const data = jsonOf(node);
    return { text: asText(data) ?? '', data };
  };
  return contract.examples.flatMap(({ name, span, input, output }) =>
    output ? [{ name, span, input: input && sideOf(input), output: sideOf(output), assertions: [] }] : [],
  );
}

function ofBody({ text, body, examples, metadata }: SkillFile): readonly Example[] {
  return (body?.artifacts ?? []).flatMap((artifact): readonly Example[] => {
    if (artifact.kind !== 'Example' || !artifact.example?.output) return [];
    const sideOf = (side: 'input' | 'output'): Side | undefined => {
      const part = artifact.example?.[side];
      const tree = examples.find((one) => one.artifact === artifact && one.side === side)?.tree;
      const data = tree?.root && !tree.broken ? jsonOf(tree.root) : undefined;
      return part && { text: asText(data) ?? sliceOf(text, part.span), data };
    };
    const output = sideOf('output');
    const own = metadata.find((one) => one.artifact === artifact)?.tree.root;
    if (!output) return [];
    return [
      {
        name: artifact.name,
        span: artifact.nameSpan ?? artifact.kindSpan,
        input: sideOf('input'),
        output,
        assertions: readAssertions(findValue(own, 'assertions')),
      },
    ];
  });
}
