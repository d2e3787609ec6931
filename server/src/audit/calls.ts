/** The measured calls of each version of a skill (docs/registry.md, "Upkeep"). */
import type { Analysis } from '../analysis/analysis.ts';
import { isSameVersion, preferred, shareOn } from '../workspace/resolve-skill.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';

export interface UpkeepNote {
  /** `warning` if the author should act, `info` if it is enough to look at the skill. */
  readonly severity: 'warning' | 'info';
  /** The predicate of a sentence whose subject is the skill, such as `has no owner`. */
  readonly why: string;
}

/** One line of measurements in production. */
export interface Measurement {
  readonly skill: string;
  /** Undefined for the version to which the name refers. */
  readonly version: string | undefined;
  readonly surface: string | undefined;
  readonly callsPerDay: number | undefined;
  readonly p95Ms: number | undefined;
}

/** The measurements of all skills, each with the file of its version. */
export interface Measured {
  readonly byUri: ReadonlyMap<string, readonly Measurement[]>;
  /** The notes on measurements that do not fit a skill, by URI. */
  readonly notes: ReadonlyMap<string, readonly UpkeepNote[]>;
  /** The names that a line without a version measures. */
  readonly byNameOnly: ReadonlySet<string>;
  /** The names that no skill has. */
  readonly unknown: readonly string[];
}

/**
 * Finds the version that each line measures. The last of several lines with the same skill, version and surface is
 * used.
 */
export function measuredSkills(analysis: Analysis, lines: readonly Measurement[]): Measured {
  const byUri = new Map<string, Measurement[]>();
  const notes = new Map<string, UpkeepNote[]>();
  const unknown = new Set<string>();
  const last = new Map(lines.map((line) => [JSON.stringify([line.skill, line.version, line.surface]), line]));
  for (const line of last.values()) {
    const { skill: name, version, surface } = line;
    const versions = analysis.skillsNamed(name);
    const main = preferred(versions, surface === undefined ? [] : [surface]);
    const skill = version === undefined ? main : versions.find((one) => isSameVersion(one.summary.version, version));
    if (!main) unknown.add(name);
    else if (!skill) add(notes, main.uri, warning(`is measured in version \`${version}\`, which does not exist`));
    if (!skill) continue;
    add(byUri, skill.uri, line);
    if (surface !== undefined && !isOffered(analysis, skill, surface)) {
      add(notes, skill.uri, warning(`is measured on the surface \`${surface}\`, which does not offer it`));
    }
  }
  const byNameOnly = new Set(
    [...last.values()].flatMap(({ skill, version }) => (version === undefined ? [skill] : [])),
  );
  return { byUri, notes, byNameOnly, unknown: [...unknown] };
}

const warning = (why: string): UpkeepNote => ({ severity: 'warning', why });

function isOffered(analysis: Analysis, skill: IndexedSkill, surface: string): boolean {
  const { surfaces } = analysis.parsedCatalogOf(skill.uri);
  return shareOn(skill, surface) > 0 && (surfaces === undefined || surfaces.has(surface));
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  lists.set(key, [...(lists.get(key) ?? []), value]);
}
