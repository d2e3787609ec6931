/** What a preview asks the server to compose for each skill, and the server's answer. */
import {
  type ComposeParams,
  type ComposeReply,
  ComposeRequest,
  type Invocation,
  type SamplesReply,
  SamplesRequest,
} from '../../../../server/src/protocol.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import type { Asked } from './messages.ts';

export interface Questions {
  readonly of: (skill: string) => Asked | undefined;
  /** `invocation` is asked instead if the sample disappears, for example when its saving is undone. */
  readonly ask: (skill: string, asked: Asked, invocation?: Invocation) => void;
  /**
   * Replaces a question that cannot be answered: none yet, or one for a sample that is missing at the moment. The user's
   * question returns with its sample. Undefined if the current question stays.
   */
  readonly choose: (skill: string, samples: SamplesReply) => Asked | undefined;
}

export function createQuestions(): Questions {
  const current = new Map<string, Asked>();
  const saved = new Map<string, Invocation>();
  /** The user's last question, for skills whose current one replaces it. */
  const replaced = new Map<string, Asked | undefined>();
  const keyOf = (skill: string, sample: string): string => `${skill}#${sample}`;
  const replacementFor = (skill: string, asked: Asked | undefined, { samples }: SamplesReply): Asked => {
    const savedFrom = asked?.sample === undefined ? undefined : saved.get(keyOf(skill, asked.sample));
    const first = samples[0]?.name;
    if (savedFrom) return { invocation: savedFrom, without: asked?.without ?? [] };
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
      const previous = current.get(skill);
      const asked = replaced.has(skill) ? replaced.get(skill) : previous;
      const isBack = asked !== undefined && hasSample(samples, asked);
      const next = isBack ? asked : replacementFor(skill, asked, samples);
      if (isBack) replaced.delete(skill);
      else replaced.set(skill, asked);
      if (JSON.stringify(next) === JSON.stringify(previous)) return undefined;
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
 * Asks the server about a skill. `superseded` if the question changed meanwhile: showing the older answer would overwrite
 * the form while the user edits it.
 */
export async function answer(
  server: Pick<SkillServer, 'send'>,
  questions: Questions,
  skill: string,
  key: string,
): Promise<Answer | 'no skill' | 'superseded'> {
  const asked = questions.of(skill);
  const [samples, early] = await Promise.all([
    server.send(SamplesRequest, { uri: skill }),
    asked && server.send(ComposeRequest, paramsOf(skill, key, asked)),
  ]);
  if (questions.of(skill) !== asked) return 'superseded';
  if (samples === null) return 'no skill';
  const other = questions.choose(skill, samples);
  if (other === undefined) return asked && early ? { asked, samples, reply: early } : 'superseded';
  const reply = await server.send(ComposeRequest, paramsOf(skill, key, other));
  if (reply === null || questions.of(skill) !== other) return 'superseded';
  return { asked: other, samples, reply };
}

const hasSample = ({ samples }: SamplesReply, { sample }: Asked): boolean =>
  sample === undefined || samples.some(({ name }) => name === sample);

/** The parameters of the server's request. `key` identifies the panel or document that asks. */
export const paramsOf = (uri: string, key: string, asked: Asked): ComposeParams => {
  const { sample, invocation, without, client, arguments: called } = asked;
  return {
    uri,
    key,
    ...(sample === undefined ? {} : { sample }),
    ...(invocation === undefined ? {} : { invocation }),
    without,
    ...(client === undefined ? {} : { client }),
    ...(called === undefined ? {} : { arguments: called }),
  };
};
