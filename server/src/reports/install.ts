/** The preview of capabilities and the check of installed skills, as text (docs/installing.md). */
import type { Colors } from 'picocolors/types';
import { type CheckedSkill, isAsLocked } from '../packing/checked-skill.ts';
import { listedNames } from '../packing/difference.ts';
import { shownView } from '../packing/view.ts';
import {
  type InstallConversion,
  type InstallNote,
  type InstallSkill,
  type InstallView,
  mayRun,
  runsUnreviewed,
} from '../protocol/packing.ts';
import { showFields } from '../text.ts';

export function previewToPretty(view: InstallView, colors: Colors): string {
  const { skills, leftOut, conflicts, unremoved, origin, files, patches, conversion } = shownView(view);
  const fileRows = FILE_ROWS.flatMap(([wanted, title]) => {
    const paths = files.filter(({ state }) => state === wanted).map(({ path }) => path);
    return paths.length > 0 ? [`${title}: ${listedNames(paths)}`] : [];
  });
  const lines = [
    `From ${shown(origin)}:`,
    '',
    ...skills.flatMap((skill) => [...skillLines(skill, colors), '']),
    ...(conversion ? conversionLines(conversion) : []),
    ...(fileRows.length > 0 ? [...fileRows, ''] : []),
    ...noteLines('Not removed', unremoved),
    ...noteLines('Not installed', leftOut),
    ...noteLines(colors.red('Would be overwritten'), conflicts),
    ...textLines(patches),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Returns the text of a converted skill, and the parts of the package that it does not contain. */
const conversionLines = ({ path, text, losses }: InstallConversion): readonly string[] => [
  `Converted from ${shown(path)}:`,
  ...text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`.trimEnd()),
  '',
  ...(losses.length > 0 ? ['Not converted:'] : []),
  ...losses.map(({ what, why }) => `  ${what}. ${why}`),
  ...(losses.length > 0 ? [''] : []),
];

/** The states of files in the preview, with their titles. Unchanged files are not listed. */
const FILE_ROWS = [
  ['new', 'New files'],
  ['changed', 'Changed files'],
  ['removed', 'Removed files'],
] as const;

const shown = (name: string): string => `\`${name}\``;

const TITLES = {
  new: 'new',
  update: 'update',
  same: 'unchanged',
  affected: 'unchanged, but composes a changed skill',
} as const;

function skillLines(skill: InstallSkill, colors: Colors): readonly string[] {
  const { name, version, oldVersion, state, path, changes, contract } = skill;
  const versions =
    oldVersion !== null && oldVersion !== version ? `${oldVersion} → ${version ?? 'none'}` : (version ?? '');
  const head = `${colors.bold(name)} ${versions} (${TITLES[state]}) ${path}`.replace(/ {2,}/g, ' ');
  return [
    head,
    ...changes.map(({ kind, text }) => `  ${kind === 'less' ? colors.green('−') : colors.yellow('!')} ${text}`),
    ...contract.map(({ bump, message }) => `  contract, ${bump}: ${message}`),
    ...(skill.description === null ? [] : [`  ${skill.description}`]),
    ...row(
      'claims',
      skill.identity.map(({ key, text }) => `${key}: ${text}`),
    ),
    ...abilityLines(skill, colors),
  ];
}

function abilityLines(skill: InstallSkill, colors: Colors): readonly string[] {
  const { tools, scopes, parts, others, findings, notScanned, automatic } = skill;
  const reasons = new Map(automatic.map(({ path, why }) => [path, why]));
  const unknown = (isKnown: boolean | null) => (isKnown === false ? ', not in this workspace' : '');
  const rows = [
    row('operation', skill.writes ? [colors.red('WRITE')] : skill.operation === null ? [] : [skill.operation]),
    row(
      'writes',
      skill.writes || (skill.operation !== null && automatic.length === 0 && !runsUnreviewed(skill))
        ? []
        : [undeclaredWrites(skill)],
    ),
    row(
      'tools',
      tools.map(({ name, operation, isKnown }) => `${shown(name)}${aside(operation ?? '', unknown(isKnown))}`),
    ),
    row(
      'scopes',
      scopes.map(({ name, isKnown }) => `${shown(name)}${aside('', unknown(isKnown))}`),
    ),
    row('effects', skill.effects.map(shown)),
    row(
      'composes',
      parts.map(
        ({ name, from }) =>
          `${shown(name)}${from === 'installed' ? '' : from === 'missing' ? colors.red(' (missing)') : ' (in this workspace)'}`,
      ),
    ),
    row('interrupts', skill.interrupts.map(shown)),
    row('scripts', skill.executables.map(shown)),
    row(
      'runs by itself',
      skill.runs.map((one) => `${shown(one)}${aside(reasons.get(one) ?? '', '')}`),
    ),
    row('scripts reach', [...skill.reaches]),
    notAnalysedRow('runs', skill.programs),
    notAnalysedRow('imports', skill.modules),
    row('not analysed', skill.unanalysed.length === 0 ? [] : [listedNames(skill.unanalysed)]),
    row('addresses', skill.addresses.map(shown)),
    row(
      'not scanned',
      notScanned.map(({ path, why }) => `${shown(path)}${aside(why, '')}`),
    ),
    row('permission', skill.permission === null ? [] : [skill.permission]),
    row(
      'same name',
      others.map((other) => `${shown(other.path)} ${RELATIONS[other.relation]}`),
    ),
  ];
  const found = findings.map(
    ({ rule, path, line, message }) => `  ${colors.yellow('!')} ${rule} ${path}:${line + 1}: ${message}`,
  );
  return [...rows.flat(), ...found];
}

/**
 * Describes whether a skill that does not declare `WRITE` may write. A missing tool may do anything, and scripts are not
 * scanned for writes.
 */
function undeclaredWrites(skill: InstallSkill): string {
  const { tools } = skill;
  if (runsUnreviewed(skill)) return 'unknown (a command runs unreviewed code, which can read, change and send files)';
  if (tools.some(({ isKnown }) => isKnown === false)) return 'unknown (some tools are not in this workspace)';
  if (mayRun(skill)) return 'unknown (scripts and commands may write)';
  return 'none found';
}

const RELATIONS = { hidden: 'is hidden by it', hiding: 'hides it', beside: 'has the same version' } as const;

const aside = (word: string, more: string): string => {
  const text = `${word}${more}`.replace(/^, /, '');
  return text === '' ? '' : ` (${text})`;
};

const row = (title: string, words: readonly string[]): readonly string[] =>
  words.length === 0 ? [] : [`  ${title}: ${words.join(', ')}`];

const notAnalysedRow = (title: string, names: readonly string[]): readonly string[] =>
  row(title, names.length === 0 ? [] : [`${listedNames(names)} (effects not analysed)`]);

const noteLines = (title: string, notes: readonly InstallNote[]): readonly string[] =>
  notes.length === 0 ? [] : [`${title}:`, ...notes.map(({ path, why }) => `  ${shown(path)} ${why}`), ''];

/** Returns the changes to the files, which are the last part of the preview of an update. */
const textLines = (patches: InstallView['patches']): readonly string[] =>
  patches.map(({ path, patch }) => patch ?? `${shown(path)} differs too much to show the changes.`);

export function checkToPretty(checked: readonly CheckedSkill[], colors: Colors): string {
  const other = showFields(checked.filter((one) => !isAsLocked(one)));
  const lines = other.flatMap(({ name, path, files, changes }) => [
    `${colors.bold(name)} ${path}`,
    ...changes.map(({ kind, text }) => `  ${kind === 'less' ? colors.green('−') : colors.red('!')} ${text}`),
    ...files.map((file) => `  ${shown(file.path)} ${STATES[file.state]}`),
    '',
  ]);
  const verdict =
    checked.length === 0
      ? 'No skills are installed: `skills.lock.json` does not exist.'
      : other.length === 0
        ? `${checked.length} installed ${checked.length === 1 ? 'skill matches' : 'skills match'} the lock file.`
        : `${other.length} of ${checked.length} installed ${checked.length === 1 ? 'skill differs' : 'skills differ'} from the lock file.`;
  return `${[...lines, other.length > 0 ? colors.red(verdict) : verdict].join('\n')}\n`;
}

const STATES = {
  edited: 'was edited since it was installed',
  missing: 'was deleted',
  added: 'was not installed',
} as const;
