/** The requests of a preview (the input with which each skill is composed), and the server's replies. */
import {
  type ComposeParams,
  type ComposeReply,
  ComposeRequest,
  type Invocation,
  type SamplesReply,
  SamplesRequest,
} from '../../../../server/src/protocol.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import type { PreviewRequest } from './messages.ts';

export interface Questions {
  readonly of: (skill: string) => PreviewRequest | undefined;
  /** Sets the request. `invocation` replaces it if the sample disappears, for example if the user undoes saving it. */
  readonly ask: (skill: string, asked: PreviewRequest, invocation?: Invocation) => void;
  /**
   * Replaces a missing request, or a request for a sample that currently does not exist. Restores the user's request
   * when its sample exists again. Returns the new request; undefined if the current request stays.
   */
  readonly choose: (skill: string, samples: SamplesReply) => PreviewRequest | undefined;
  /** Returns the sample of the user's request if the request was replaced because this sample does not exist. */
  readonly missing: (skill: string) => string | undefined;
  /** Keeps the request of a skill whose file was renamed. */
  readonly move: (from: string, to: string) => void;
}

export function createQuestions(): Questions {
  const current = new Map<string, PreviewRequest>();
  const saved = new Map<string, Invocation>();
  /** The user's last request for each skill whose request was replaced. */
  const replaced = new Map<string, PreviewRequest | undefined>();
  const keyOf = (skill: string, sample: string): string => `${skill}#${sample}`;
  const replacementFor = (
    skill: string,
    asked: PreviewRequest | undefined,
    { samples }: SamplesReply,
  ): PreviewRequest => {
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
    missing: (skill) => replaced.get(skill)?.sample,
    move: (from, to) => {
      const asked = replaced.get(from) ?? current.get(from);
      if (asked) current.set(to, asked);
    },
  };
}

export interface Answer {
  readonly asked: PreviewRequest;
  readonly samples: SamplesReply;
  readonly reply: ComposeReply;
  /** The sample that the user chose, if it does not exist. */
  readonly missingSample?: string;
}

/**
 * Requests the composition of a skill. Returns `superseded` if the request changed before the reply arrived, because
 * the old reply would overwrite the form while the user edits it.
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
  const missing = questions.missing(skill);
  const missingSample = missing === undefined ? {} : { missingSample: missing };
  if (other === undefined) return asked && early ? { asked, samples, reply: early, ...missingSample } : 'superseded';
  const reply = await server.send(ComposeRequest, paramsOf(skill, key, other));
  if (reply === null || questions.of(skill) !== other) return 'superseded';
  return { asked: other, samples, reply, ...missingSample };
}

const hasSample = ({ samples }: SamplesReply, { sample }: PreviewRequest): boolean =>
  sample === undefined || samples.some(({ name }) => name === sample);

/** Returns the parameters of the request. `key` identifies the panel or document that sends the request. */
export const paramsOf = (uri: string, key: string, asked: PreviewRequest): ComposeParams => {
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
