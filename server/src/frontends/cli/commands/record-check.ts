/** `skill-composer record check`: compares an invocation record with the skill files (docs/composer.md, "Replay"). */
import type { Colors } from 'picocolors/types';
import type { Analysis } from '../../../analysis/analysis.ts';
import { findRecord, type ReadRecord, type RecordedSkill, recordChanges } from '../../../composer/record-changes.ts';
import { assertCatalogsParse, openProject } from '../../../io/project.ts';
import { UserError } from '../../../io/user-error.ts';
import { printedJson } from '../../../reports/json.ts';
import { checkedPackageOf } from '../../../rules/engine/checked-package.ts';
import { contentDigest } from '../../../skill/content-digest.ts';
import { showFields } from '../../../text.ts';
import { isSameVersion, preferred } from '../../../workspace/resolve-skill.ts';
import type { Console } from '../console.ts';
import { readJson, useSurface } from './invocation.ts';

export interface RecordCheckOptions {
  readonly cwd: string;
  readonly file: string;
  readonly paths: readonly string[];
  readonly config: string | undefined;
  readonly surface: string | undefined;
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
}

/** Prints the changes. Returns 0 if nothing has changed, else 1. Throws a `UserError` for status 2. */
export async function checkRecord(options: RecordCheckOptions, console: Console): Promise<number> {
  const { cwd, file, paths, config, surface, format, quiet } = options;
  const record = findRecord(await readJson(`@${file}`, 'record check', cwd));
  if (!record) {
    throw new UserError(
      `\`${file}\` has no invocation record. Write it with \`skill-composer compose FILE --format json --out ${file}\`.`,
    );
  }
  const { progress } = console;
  const project = await openProject({ cwd, paths, config, progress, mayBeEmpty: true }).finally(() => progress.end());
  assertCatalogsParse(project);
  useSurface(project, surface);
  const { analysis } = project.workspace;
  const uri = findSkill(analysis, record);
  const skills = recordChanges(record, uri === undefined ? undefined : checkedPackageOf(analysis, uri)).map(
    ({ uri: of, ...skill }) => ({ ...skill, file: of === undefined ? undefined : project.fileOf(of) }),
  );
  const isUnchanged = skills.every(({ state }) => state === 'unchanged');
  if (format === 'json') console.print(printedJson({ version: 1, unchanged: isUnchanged, skills }));
  else if (!isUnchanged || !quiet) console.print(toText(skills, console.colors));
  return isUnchanged ? 0 : 1;
}

/** Returns the file of the recorded skill: with the same text, else the same version, else the one of the name. */
function findSkill(analysis: Analysis, { skillId, skillVersion, skills: [first] }: ReadRecord): string | undefined {
  const all = analysis.skillsNamed(skillId);
  const same = all.find(({ uri }) => contentDigest(analysis.index.files.get(uri)?.text ?? '') === first?.digest);
  const versioned = all.find(({ summary }) => isSameVersion(summary.version ?? '0.0.0', skillVersion));
  return (same ?? versioned ?? preferred(all))?.uri;
}

type ShownSkill = Omit<RecordedSkill, 'uri'> & { readonly file: string | undefined };

function toText(skills: readonly ShownSkill[], { bold, dim, red }: Colors): string {
  const other = skills.filter(({ state }) => state !== 'unchanged');
  const lines = other.flatMap((skill) => {
    const { state, id, version, newVersion, file, artifacts } = showFields(skill);
    const versions = newVersion === undefined ? version : `${version} → ${newVersion}`;
    return [
      [red(state), bold(id), versions, dim(file ?? '')].join('  ').trimEnd(),
      ...artifacts.map((one) => `  ${one.state}  ${one.id}`),
    ];
  });
  const count = `${skills.length} ${skills.length === 1 ? 'skill' : 'skills'}`;
  const verdict = other.length === 0 ? `unchanged: ${count}` : `${other.length} of ${count} not as in the record`;
  return `${[...lines, verdict].join('\n')}\n`;
}
