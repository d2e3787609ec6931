/** A sample as other tools can test it (docs/testing.md, "Other tools"). */
import type { Composition } from '../../composer/composition.ts';
import { isUsable, type Schema } from '../../languages/schema/schema.ts';
import type { Assertion } from '../assertion.ts';
import { assertionsOn } from '../judge-output.ts';
import type { SampleCase } from '../judge-sample.ts';

export interface ExportedCase {
  readonly skill: string;
  readonly sample: string;
  readonly prompt: string;
  /** Of the output. */
  readonly assertions: readonly Assertion[];
  /** Of the output; undefined where the skill says nothing of it. */
  readonly schema: Schema | undefined;
  /** What the composition alone is held against, in words. */
  readonly ofPrompt: readonly string[];
}

export function exportedCase(
  skill: string,
  sample: SampleCase,
  composition: Pick<Composition, 'prompt' | 'assertions'>,
  schema: Schema | undefined,
): ExportedCase {
  const { expect, name } = sample;
  const listed = { tools: expect.tools, interrupts: expect.interrupts, nodes: expect.nodes };
  return {
    skill,
    sample: name,
    prompt: composition.prompt,
    assertions: assertionsOn(sample, composition),
    schema: schema && isUsable(schema) && schema.form !== 'empty' ? schema : undefined,
    ofPrompt: [
      ...(expect.prompt.length > 0 ? ['prompt'] : []),
      ...Object.entries(listed).flatMap(([key, names]) => (names.length > 0 ? [key] : [])),
      ...(expect.taken.length + expect.leftOut.length > 0 ? ['artifacts'] : []),
      ...(expect.maxTokens ? ['tokens'] : []),
      ...(expect.snapshot ? ['snapshot'] : []),
    ],
  };
}

export interface Exported {
  readonly text: string;
  /** What the other format has no way to say, a sentence each. */
  readonly lost: readonly string[];
}

export const printed = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
