/** Where a skill is made that is named and not there: where its kind of skills lies, called as they are. */
import { minVersion, satisfies, validRange } from 'semver';
import type { Analysis } from '../../analysis/analysis.ts';
import { requirementsOf } from '../../rules/common/version-ranges.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { fileNameOf, folderOf } from '../../vocabulary/dialect.ts';

/** A skill whose file is not there yet. */
export interface NewSkill {
  readonly uri: string;
  readonly name: string;
  readonly kind: 'literal' | 'contract' | 'agent-skill';
  /** Undefined where the skill needs no level. */
  readonly level?: number | undefined;
  /** Undefined where any version will do. */
  readonly version?: string | undefined;
}

/** Undefined where there is a file in its place. */
export function newSkillFor(analysis: Analysis, file: SkillFile, name: string): NewSkill | undefined {
  const { folder, ending } = mostCommon(partsOf(analysis, file).map(formOf)) ?? formOf(file.uri);
  const uri = `${folder}/${name}${ending}`;
  if (analysis.file(uri)) return undefined;
  const kind = kindOf(ending);
  if (kind === 'agent-skill') return { uri, name, kind };
  return { uri, name, kind, level: levelOf(file, name), version: versionOf(file, name) };
}

/** The skills that the file composes and that are there: what is missing is one more of their kind. */
const partsOf = (analysis: Analysis, { contract }: SkillFile): readonly string[] =>
  contract.composes.flatMap(({ name }) => analysis.skillsNamed(name).map(({ uri }) => uri));

/** How the file of a skill follows from its name: `FOLDER/NAME.skill.md`, `FOLDER/NAME/SKILL.md`. */
interface Form {
  readonly folder: string;
  readonly ending: string;
}

function formOf(uri: string): Form {
  const folder = folderOf(uri);
  if (fileNameOf(uri) === 'SKILL.md') return { folder: folderOf(folder), ending: '/SKILL.md' };
  return { folder, ending: /(?:\.skill)?\.(?:md|ya?ml)$/.exec(uri)?.[0] ?? '.skill.md' };
}

/** Of several that are as common the first. */
function mostCommon(forms: readonly Form[]): Form | undefined {
  const countOf = (form: Form) =>
    forms.filter(({ folder, ending }) => folder === form.folder && ending === form.ending).length;
  const [first, ...others] = forms.slice(0, MAX_PARTS);
  return first && others.reduce((best, form) => (countOf(form) > countOf(best) ? form : best), first);
}

/** More parts do not change what is usual. */
const MAX_PARTS = 50;

function kindOf(ending: string): NewSkill['kind'] {
  if (ending === '/SKILL.md') return 'agent-skill';
  return ending.endsWith('.md') ? 'literal' : 'contract';
}

/** What a composite or a workflow composes is atomic at first: it names no skills yet. */
const levelOf = ({ contract }: SkillFile, name: string): number | undefined =>
  contract.composes.some((entry) => entry.name === name) ? 1 : undefined;

/** The least version that all ranges for the skill ask for. */
function versionOf(file: SkillFile, name: string): string | undefined {
  const [range] = requirementsOf(file, name).map(({ version }) => validRange(version.name));
  if (!range) return undefined;
  return satisfies('1.0.0', range) ? '1.0.0' : minVersion(range)?.version;
}
