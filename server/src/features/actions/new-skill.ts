/** Chooses the folder and the file ending of a new skill for an unknown name, as similar skills use them. */
import { minVersion, satisfies, validRange } from 'semver';
import type { Analysis } from '../../analysis/analysis.ts';
import { requirementsOf } from '../../analysis/version-ranges.ts';
import { namesProblem } from '../../skill/kebab-name.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { fileNameOf, folderOf } from '../../vocabulary/dialect.ts';

/** A skill whose file does not exist yet. */
export interface NewSkill {
  readonly uri: string;
  readonly name: string;
  readonly kind: 'literal' | 'contract' | 'agent-skill';
  /** Undefined if the skill needs no level. */
  readonly level?: number | undefined;
  /** Undefined if any version is allowed. */
  readonly version?: string | undefined;
}

/** Returns the new skill for a name that `file` uses; undefined if its file exists or cannot have this name. */
export function newSkillFor(analysis: Analysis, file: SkillFile, name: string): NewSkill | undefined {
  const { folder, ending } = mostCommon(composedUris(analysis, file).map(formOf)) ?? formOf(file.uri);
  const uri = `${folder}/${name}${ending}`;
  if (analysis.file(uri) || namesProblem(name + ending) !== undefined) return undefined;
  const kind = kindOf(ending);
  if (kind === 'agent-skill') return { uri, name, kind };
  return { uri, name, kind, level: levelOf(file, name), version: versionOf(file, name) };
}

/** Returns the URIs of the existing skills that the file composes; the new skill follows their form. */
const composedUris = (analysis: Analysis, { uri: from, contract }: SkillFile): readonly string[] =>
  contract.composes.flatMap(({ name }) => analysis.skillsNamed(name, from).map(({ uri }) => uri));

/** The form of a skill file's URI: `FOLDER/NAME.skill.md` or `FOLDER/NAME/SKILL.md`. */
interface Form {
  readonly folder: string;
  readonly ending: string;
}

function formOf(uri: string): Form {
  const folder = folderOf(uri);
  if (fileNameOf(uri) === 'SKILL.md') return { folder: folderOf(folder), ending: '/SKILL.md' };
  return { folder, ending: /(?:\.skill)?\.(?:md|ya?ml)$/.exec(uri)?.[0] ?? '.skill.md' };
}

/** Returns the most common form, or the first form if several forms are equally common. */
function mostCommon(forms: readonly Form[]): Form | undefined {
  const countOf = (form: Form) =>
    forms.filter(({ folder, ending }) => folder === form.folder && ending === form.ending).length;
  const [first, ...others] = forms.slice(0, MAX_PARTS);
  return first && others.reduce((best, form) => (countOf(form) > countOf(best) ? form : best), first);
}

/** The maximum number of skills that are compared. */
const MAX_PARTS = 50;

function kindOf(ending: string): NewSkill['kind'] {
  if (ending === '/SKILL.md') return 'agent-skill';
  return ending.endsWith('.md') ? 'literal' : 'contract';
}

/** Returns level 1 for a skill that the file composes, because a new skill composes no other skills. */
const levelOf = ({ contract }: SkillFile, name: string): number | undefined =>
  contract.composes.some((entry) => entry.name === name) ? 1 : undefined;

/** Returns the version that the first range for the skill requires: `1.0.0` if allowed, otherwise the lowest. */
function versionOf(file: SkillFile, name: string): string | undefined {
  const [range] = requirementsOf(file, name).map(({ version }) => validRange(version.name));
  if (!range) return undefined;
  return satisfies('1.0.0', range) ? '1.0.0' : minVersion(range)?.version;
}
