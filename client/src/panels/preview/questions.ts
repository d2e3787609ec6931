/** What a preview asks of each skill, kept while it shows another one, and the answer to it. */
import type { ComposeParams, ComposeReply, Invocation, SamplesReply } from '../../../../server/src/protocol.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import type { Asked } from './messages.ts';

export interface Questions {
  readonly of: (skill: string) => Asked | undefined;
  /** `invocation` is what to ask where the sample goes away again, as by an undo of its saving. */
  readonly ask: (skill: string, asked: Asked, invocation?: Invocation) => void;
  /**
   * Puts another question where the present one cannot be: nothing was asked yet, or the sample is not there, as while its
   * frontmatter is half typed. What the author asked for is asked again as soon as it is back. `undefined` where the
   * present question stands.
   */
  readonly choose: (skill: string, samples: SamplesReply) => Asked | undefined;
}

export function createQuestions(): Questions {
  const current = new Map<string, Asked>();
  const saved = new Map<string, Invocation>();
  /** What the author asked last, for skills whose present question is a stand-in. */
  const replaced = new Map<string, Asked | undefined>();
  const keyOf = (skill: string, sample: string): string => `${skill}#${sample}`;
  const standInFor = (skill: string, asked: Asked | undefined, { samples }: SamplesReply): Asked => {
    const kept = asked?.sample === undefined ? undefined : saved.get(keyOf(skill, asked.sample));
    const first = samples[0]?.name;
    if (kept) return { invocation: kept, without: asked?.without ?? [] };
    return first === undefined ? { without: [] } : { sample: first, without: [] };
  };
  return {
    of: (skill) => current.get(skill),
    ask: (skill, asked, invocation) => {
      current.set(skill, asked);
      replaced.delete(skill);
      if (invocation && asked.sample !== undefined) saved.set(keyOf(skill, asked.sample), invocation);
    },
    choose: (skill, samples) => {
      const present = current.get(skill);
      const asked = replaced.has(skill) ? replaced.get(skill) : present;
      const isBack = asked !== undefined && isThere(samples, asked);
      const next = isBack ? asked : standInFor(skill, asked, samples);
      if (isBack) replaced.delete(skill);
      else replaced.set(skill, asked);
      if (JSON.stringify(next) === JSON.stringify(present)) return undefined;
      current.set(skill, next);
      return next;
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
  const other = questions.choose(skill, samples);
  if (other === undefined) return asked && early ? { asked, samples, reply: early } : 'superseded';
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
