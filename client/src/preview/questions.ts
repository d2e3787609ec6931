/** What a preview asks of each skill, kept while it shows another one, and the answer to it. */
import type { ComposeParams, ComposeReply, Invocation, SamplesReply } from '../../../server/src/protocol.ts';
import type { Asked } from './messages.ts';
import type { SkillServer } from './skill-server.ts';

export interface Questions {
  readonly of: (skill: string) => Asked | undefined;
  /** `invocation` is what to ask where the sample goes away again, as by an undo of its saving. */
  readonly ask: (skill: string, asked: Asked, invocation?: Invocation) => void;
  /** What to ask where nothing was asked yet, or a sample that is not there any more. */
  readonly instead: (skill: string, samples: SamplesReply) => Asked;
}

export function createQuestions(): Questions {
  const current = new Map<string, Asked>();
  const saved = new Map<string, Invocation>();
  const keyOf = (skill: string, sample: string): string => `${skill}#${sample}`;
  return {
    of: (skill) => current.get(skill),
    ask: (skill, asked, invocation) => {
      current.set(skill, asked);
      if (invocation && asked.sample !== undefined) saved.set(keyOf(skill, asked.sample), invocation);
    },
    instead: (skill, { samples }) => {
      const old = current.get(skill);
      const kept = old?.sample === undefined ? undefined : saved.get(keyOf(skill, old.sample));
      const first = samples[0]?.name;
      if (kept) return { invocation: kept, without: old?.without ?? [] };
      return first === undefined ? { without: [] } : { sample: first, without: [] };
    },
  };
}

export interface Answer {
  readonly asked: Asked;
  readonly samples: SamplesReply;
  readonly reply: ComposeReply;
}

/**
 * Asks the server. `superseded` where another question about this skill was put meanwhile: an answer to the older one
 * would set the form back under the author's hands.
 */
export async function answer(
  server: Pick<SkillServer, 'compose' | 'samples'>,
  questions: Questions,
  skill: string,
  key: string,
): Promise<Answer | 'no skill' | 'superseded'> {
  const asked = questions.of(skill);
  const [samples, early] = await Promise.all([
    server.samples({ uri: skill }),
    asked && server.compose(paramsOf(skill, key, asked)),
  ]);
  if (questions.of(skill) !== asked) return 'superseded';
  if (samples === null) return 'no skill';
  if (asked && early && isThere(samples, asked)) return { asked, samples, reply: early };
  if (asked && isThere(samples, asked)) return 'superseded';
  const other = questions.instead(skill, samples);
  questions.ask(skill, other);
  const reply = await server.compose(paramsOf(skill, key, other));
  if (reply === null || questions.of(skill) !== other) return 'superseded';
  return { asked: other, samples, reply };
}

const isThere = ({ samples }: SamplesReply, { sample }: Asked): boolean =>
  sample === undefined || samples.some(({ name }) => name === sample);

/** What a page asked for, as the server takes it. `key` says who asks. */
export const paramsOf = (uri: string, key: string, { sample, invocation, without }: Asked): ComposeParams => ({
  uri,
  key,
  ...(sample === undefined ? {} : { sample }),
  ...(invocation === undefined ? {} : { invocation }),
  without,
});
