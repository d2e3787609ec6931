/** The artifacts of a record in the order that it wants: those that go, come, and move. */
import type { SkillFile } from '../skill/skill-file.ts';
import { lineBreakOf, sliceOf } from '../text.ts';
import type { RecordArtifact, SkillRecord } from './record.ts';
import { artifactText } from './record-body.ts';

/** What of a body is held against a record. */
export type Wanted = Pick<SkillRecord, 'heading' | 'framing' | 'artifacts'>;

export interface Ordered {
  readonly artifact: RecordArtifact;
  /** Which artifact of the source it is; undefined for a new one. */
  readonly from: number | undefined;
}

/** The artifacts by their ordinals, each with the one of the source that has its id. */
export function wantedOrder(source: readonly RecordArtifact[], wanted: readonly RecordArtifact[]): readonly Ordered[] {
  const places = new Map(source.map(({ id }, at) => [id, at]));
  const taken = new Set<number>();
  return [...wanted]
    .sort((a, b) => a.ordinal - b.ordinal)
    .map((artifact) => {
      const at = places.get(artifact.id);
      if (at === undefined || taken.has(at)) return { artifact, from: undefined };
      taken.add(at);
      return { artifact, from: at };
    });
}

/** The text with the artifacts in this order; what stands between them stays where it is. */
export function arrange(file: SkillFile, order: readonly Ordered[]): string | undefined {
  const { text, body } = file;
  if (!body) return undefined;
  const lineBreak = lineBreakOf(text);
  const kept = order.flatMap(({ from }) => from ?? []).sort((a, b) => a - b);
  const slots = new Map<number, string[]>(kept.map((at) => [at, []]));
  const first: string[] = [];
  let next = 0;
  let slot = first;
  for (const { artifact, from } of order) {
    if (from === undefined) slot.push(artifactText(artifact, lineBreak));
    else {
      slot = slots.get(kept[next++] as number) as string[];
      slot.push(sliceOf(text, (body.artifacts[from] as { span: { start: number; end: number } }).span));
    }
  }
  const pieces: string[] = [];
  let at = 0;
  for (const [index, { span }] of body.artifacts.entries()) {
    pieces.push(text.slice(at, span.start));
    if (index === 0) pieces.push(...first);
    pieces.push(...(slots.get(index) ?? []));
    at = span.end;
  }
  pieces.push(text.slice(at));
  if (body.artifacts.length === 0) pieces.push(...first);
  return joined(pieces, lineBreak);
}

/** A heading that follows a piece stands on a line of its own, behind an empty one. */
function joined(pieces: readonly string[], lineBreak: string): string {
  let text = '';
  for (const piece of pieces) {
    if (piece.startsWith('##') && text !== '') {
      const breaks = /(?:\r\n|\r|\n)*$/.exec(text.slice(-4))?.[0].replace(/\r\n?/g, '\n').length ?? 0;
      text += lineBreak.repeat(Math.max(0, 2 - breaks));
    }
    text += piece;
  }
  return text;
}
