/** What stands at a place in the body's prose and headings. */
import type { SkillFile } from '../../skill/skill-file.ts';
import { findTouching, spanOf, touches } from '../../text.ts';
import type { SkillSymbol } from './skill-symbol.ts';

export function symbolInBody({ body, dialect }: SkillFile, offset: number): SkillSymbol | undefined {
  if (!body) return undefined;
  const reference = findTouching(body.references, offset, spanOf);
  if (reference) {
    return { kind: 'name', span: reference.nameSpan, domain: reference.kind, name: reference.name };
  }
  const plain = findTouching(body.plainReferences, offset, spanOf);
  if (plain) return { kind: 'name', span: plain.nameSpan, domain: 'skill', name: plain.name, plain };
  if (dialect !== 'composer') return undefined;
  const artifact = findTouching(body.artifacts, offset, ({ heading }) => heading.span);
  if (artifact) {
    const { kindSpan, nameSpan, kind, name } = artifact;
    if (touches(kindSpan, offset)) return { kind: 'artifact-kind', span: kindSpan, name: kind };
    return nameSpan && touches(nameSpan, offset)
      ? { kind: 'name', span: nameSpan, domain: 'artifact', name }
      : undefined;
  }
  const retired = findTouching(body.retiredKinds, offset, ({ kindSpan }) => kindSpan);
  return retired && { kind: 'artifact-kind', span: retired.kindSpan, name: retired.kind };
}
