/** Artifacts: headings, `framing`, includes, `#artifact:`. */
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Target } from '../symbol/target.ts';
import { type Refusal, refuse } from './plan.ts';

type ArtifactTarget = Target & { kind: 'artifact' };

const named = ({ body }: SkillFile, name: string) => (body?.artifacts ?? []).filter((one) => one.name === name);

export function refuseArtifact(file: SkillFile, { name, artifactKind }: ArtifactTarget): Refusal | undefined {
  const all = named(file, name);
  const own = all.filter(({ kind }) => !artifactKind || kind === artifactKind);
  if (own.length === 0) return refuse(`There is no artifact \`${name}\` in this file. Make it, or fix the name.`);
  const nameless = own.find(({ nameSpan }) => !nameSpan);
  if (nameless)
    return refuse(`\`## ${nameless.kind}\` has no name of its own. Give it one first: \`## ${nameless.kind}: …\`.`);
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const isMentioned = file.body?.references.some((one) => one.kind === 'artifact' && one.name === name) === true;
  if (kinds.length < 2 || (!isMentioned && artifactKind)) return undefined;
  return refuse(
    `\`#artifact:${name}\` may mean any of ${kinds.map((kind) => `\`## ${kind}: ${name}\``).join(', ')}. Give them different names by hand.`,
  );
}

export function refuseArtifactName(
  file: SkillFile,
  { artifactKind }: ArtifactTarget,
  newName: string,
): Refusal | undefined {
  if (newName !== newName.trim() || newName === '' || /[\r\n"'\\`#]/.test(newName)) {
    return refuse(
      `\`${newName}\` is no name for an artifact. Write words on one line, without quotes, backslashes and \`#\`.`,
    );
  }
  const other = named(file, newName).find(({ kind }) => !artifactKind || kind === artifactKind);
  return (
    other &&
    refuse(
      `There is ${/^[AE]/.test(other.kind) ? 'an' : 'a'} ${other.kind} \`${newName}\` already. Choose another name.`,
    )
  );
}
