/** The requests of a preview (the input with which each skill is composed), and the server's replies. */
import {
  type ComposeParams,
  ComposeRequest,
  type Invocation,
  type SamplesReply,
  SamplesRequest,
} from '../../../../server/src/protocol.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import type { ComposedSkill, PreviewRequest } from './messages.ts';

/** The request for each skill, which stays when the preview shows another skill. */
export class PreviewRequests {
  readonly #current = new Map<string, PreviewRequest>();
  /** The invocation from which each sample was saved, by skill and sample. */
  readonly #saved = new Map<string, Invocation>();
  /** The user's last request for each skill whose request was replaced. */
  readonly #replaced = new Map<string, PreviewRequest | undefined>();

  get(skill: string): PreviewRequest | undefined {
    return this.#current.get(skill);
  }

  /** Sets the request. `invocation` replaces it if the sample disappears, for example if the user undoes saving it. */
  set(skill: string, asked: PreviewRequest, invocation?: Invocation): void {
    this.#current.set(skill, asked);
    this.#replaced.delete(skill);
    if (invocation && asked.sample !== undefined) this.#saved.set(sampleKey(skill, asked.sample), invocation);
  }

  /**
   * Replaces a missing request, or a request for a sample that currently does not exist. Restores the user's request
   * when its sample exists again. Returns the request, which is the same object if it was not replaced.
   */
  replaceMissing(skill: string, samples: SamplesReply): PreviewRequest {
    const previous = this.#current.get(skill);
    const asked = this.#replaced.has(skill) ? this.#replaced.get(skill) : previous;
    const isBack = asked !== undefined && hasSample(samples, asked);
    const next = isBack ? asked : this.#replacementFor(skill, asked, samples);
    if (isBack) this.#replaced.delete(skill);
    else this.#replaced.set(skill, asked);
    if (previous && JSON.stringify(next) === JSON.stringify(previous)) return previous;
    this.#current.set(skill, next);
    return next;
  }

  #replacementFor(skill: string, asked: PreviewRequest | undefined, { samples }: SamplesReply): PreviewRequest {
    const saved = asked?.sample === undefined ? undefined : this.#saved.get(sampleKey(skill, asked.sample));
    const first = samples[0]?.name;
    if (saved) return { invocation: saved, without: asked?.without ?? [] };
    return first === undefined ? { without: [] } : { sample: first, without: [] };
  }

  /** Returns the sample of the user's request if the request was replaced because this sample does not exist. */
  missingSample(skill: string): string | undefined {
    return this.#replaced.get(skill)?.sample;
  }

  /** Keeps the request of a skill whose file was renamed. */
  rename(from: string, to: string): void {
    const asked = this.#replaced.get(from) ?? this.#current.get(from);
    if (asked) this.#current.set(to, asked);
  }
}

const sampleKey = (skill: string, sample: string): string => `${skill}#${sample}`;

/**
 * Requests the samples and the composition of a skill. Returns `superseded` if the request changed before the reply
 * arrived, because the old reply would overwrite the form while the user edits it; null if the file is not a skill.
 */
export async function composeSkill(
  server: Pick<SkillServer, 'send'>,
  requests: PreviewRequests,
  skill: string,
  key: string,
): Promise<ComposedSkill | 'superseded' | null> {
  const asked = requests.get(skill);
  const [samples, early] = await Promise.all([
    server.send(SamplesRequest, { uri: skill }),
    asked && server.send(ComposeRequest, paramsOf(skill, key, asked)),
  ]);
  if (requests.get(skill) !== asked) return 'superseded';
  if (samples === null) return null;
  const current = requests.replaceMissing(skill, samples);
  const reply = current === asked ? early : await server.send(ComposeRequest, paramsOf(skill, key, current));
  if (requests.get(skill) !== current) return 'superseded';
  if (!reply || reply === 'superseded') return reply ?? null;
  const missingSample = requests.missingSample(skill);
  return { asked: current, samples, reply, ...(missingSample !== undefined && { missingSample }) };
}

const hasSample = ({ samples }: SamplesReply, { sample }: PreviewRequest): boolean =>
  sample === undefined || samples.some(({ name }) => name === sample);

/** Returns the parameters of the request. `key` identifies the panel or document that sends the request. */
export const paramsOf = (uri: string, key: string, { origin: _, ...asked }: PreviewRequest): ComposeParams => ({
  uri,
  key,
  ...asked,
});
