/** The capability preview and the check of installed skills, for people (docs/installing.md). */
import type { Colors } from 'picocolors/types';
import { listedNames } from '../../packing/difference.ts';
import type { InstallNote, InstallSkill, InstallView } from '../../protocol/packing.ts';
import { visible, visibleLines } from '../../text.ts';
import { type CheckedSkill, isAsLocked } from '../packing/installed.ts';

export function previewToPretty(view: InstallView, colors: Colors): string {
  const { skills, leftOut, conflicts, origin, files, patches } = view;
  const fileRows = FILE_ROWS.flatMap(([wanted, title]) => {
    const paths = files.filter(({ state }) => state === wanted).map(({ path }) => visible(path));
    return paths.length > 0 ? [`${title}: ${listedNames(paths)}`] : [];
  });
  const lines = [
    `From ${shown(origin)}:`,
    '',
    ...skills.flatMap((skill) => [...skillLines(skill, colors), '']),
    ...(fileRows.length > 0 ? [...fileRows, ''] : []),
    ...noteLines('Not installed', leftOut),
    ...noteLines(colors.red('Would be lost'), conflicts),
    ...textLines(patches),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** What an installation does to the files; those that are there already, as they are, are not named. */
const FILE_ROWS = [
  ['new', 'New files'],
  ['changed', 'Changed files'],
  ['removed', 'Removed files'],
] as const;

const shown = (name: string): string => `\`${visible(name)}\``;

const TITLES = {
  new: 'new',
  update: 'update',
  same: 'as it is',
  affected: 'stays, and composes what changes',
} as const;

function skillLines(skill: InstallSkill, colors: Colors): readonly string[] {
  const { name, version, oldVersion, state, path, changes, contract } = skill;
  const versions =
    oldVersion !== null && oldVersion !== version ? `${oldVersion} → ${version ?? 'none'}` : (version ?? '');
  const head = `${colors.bold(visible(name))} ${visible(versions)} (${TITLES[state]}) ${visible(path)}`.replace(
    / {2,}/g,
    ' ',
  );
  return [
    head,
    ...changes.map(
      ({ kind, text }) => `  ${kind === 'less' ? colors.green('−') : colors.yellow('!')} ${visible(text)}`,
    ),
    ...contract.map(({ bump, message }) => `  contract, ${bump}: ${visible(message)}`),
    ...(skill.description === null ? [] : [`  ${visible(skill.description)}`]),
    ...row(
      'says of itself',
      skill.identity.map(({ key, text }) => `${key}: ${visible(text)}`),
    ),
    ...abilityLines(skill, colors),
  ];
}

function abilityLines(skill: InstallSkill, colors: Colors): readonly string[] {
  const { tools, scopes, parts, others, findings, notScanned } = skill;
  const unknown = (isKnown: boolean | null) => (isKnown === false ? ', not in this workspace' : '');
  const rows = [
    row('may', [skill.writes ? colors.red('WRITE') : (skill.operation ?? withoutOperation(skill))]),
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
          `${shown(name)}${from === 'installed' ? '' : from === 'missing' ? colors.red(' (missing)') : ' (of this workspace)'}`,
      ),
    ),
    row('interrupts', skill.interrupts.map(shown)),
    row('scripts', skill.executables.map(shown)),
    row('runs by itself', skill.runs.map(shown)),
    row('scripts reach', [...skill.reaches]),
    row('addresses', skill.addresses.map(shown)),
    row(
      'not looked at',
      notScanned.map(({ path, why }) => `${shown(path)}${aside(why, '')}`),
    ),
    row('permission', skill.permission === null ? [] : [skill.permission]),
    row(
      'same name',
      others.map((other) => `${shown(other.path)} ${RELATIONS[other.relation]}`),
    ),
  ];
  const found = findings.map(
    ({ rule, path, line, message }) =>
      `  ${colors.yellow('!')} ${rule} ${visible(path)}:${line + 1}: ${visible(message)}`,
  );
  return [...rows.flat(), ...found];
}

/** A tool that this workspace lacks may do anything, and nobody looks into scripts for what they write. */
function withoutOperation({ tools, executables, runs }: InstallSkill): string {
  if (tools.some(({ isKnown }) => isKnown === false)) return 'not known: some of its tools are not in this workspace';
  if (executables.length + runs.length > 0) return 'not known: its scripts and commands may write';
  return 'not write, as far as is known';
}

const RELATIONS = { hidden: 'is hidden by it', hiding: 'hides it', beside: 'stands beside it' } as const;

const aside = (word: string, more: string): string => {
  const text = `${word}${more}`.replace(/^, /, '');
  return text === '' ? '' : ` (${visible(text)})`;
};

const row = (title: string, words: readonly string[]): readonly string[] =>
  words.length === 0 ? [] : [`  ${title}: ${words.join(', ')}`];

const noteLines = (title: string, notes: readonly InstallNote[]): readonly string[] =>
  notes.length === 0 ? [] : [`${title}:`, ...notes.map(({ path, why }) => `  ${shown(path)} ${why}`), ''];

/** Of an update what has changed in the texts, behind everything else. */
const textLines = (patches: InstallView['patches']): readonly string[] =>
  patches.map(({ path, patch }) =>
    patch === null ? `${shown(path)} has changed too much to be shown.` : visibleLines(patch),
  );

export function checkToPretty(checked: readonly CheckedSkill[], colors: Colors): string {
  const other = checked.filter((one) => !isAsLocked(one));
  const lines = other.flatMap(({ name, path, files, changes }) => [
    `${colors.bold(visible(name))} ${visible(path)}`,
    ...changes.map(({ kind, text }) => `  ${kind === 'less' ? colors.green('−') : colors.red('!')} ${visible(text)}`),
    ...files.map((file) => `  ${shown(file.path)} ${STATES[file.state]}`),
    '',
  ]);
  const verdict =
    checked.length === 0
      ? 'No skill is installed here: there is no lock file.'
      : other.length === 0
        ? `${checked.length} installed ${checked.length === 1 ? 'skill is' : 'skills are'} as the lock file says.`
        : `${other.length} of ${checked.length} installed ${checked.length === 1 ? 'skill is' : 'skills are'} not as the lock file says.`;
  return `${[...lines, other.length > 0 ? colors.red(verdict) : verdict].join('\n')}\n`;
}

const STATES = {
  edited: 'was edited since it was installed',
  missing: 'is not there any more',
  added: 'was not installed',
} as const;
