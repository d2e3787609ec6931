import { gtr, subset, valid, validRange } from 'semver';
import type { Analysis } from '../../analysis/analysis.ts';
import { resolvedSkill } from '../../analysis/composed-skills.ts';
import {
  type Field,
  findField,
  isAlwaysSet,
  labelOf,
  placeOf,
  relateFields,
  type Side,
  sidesOf,
} from '../../analysis/data-flow/fields.ts';
import { versionsOf } from '../../analysis/version-ranges.ts';
import type { Draft } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import { removeItem } from '../../languages/yaml/edit.ts';
import { listItems } from '../../languages/yaml/node.ts';
import { type AdaptsEntry, findSkillEntry, type Named } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains } from '../../text.ts';
import { allows, MAX_RANGE } from '../../workspace/resolve-skill.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/**
 * Reports an adapter that cannot serve callers of an older version: its range contains no older version, it does more
 * than transform, it needs values that this version does not return, or it does not return what the older version did.
 */
export const invalidAdapter: Rule = {
  name: 'invalid-adapter',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Adapters"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    if (!resolvedSkill(analysis, file)) return;
    for (const [at, entry] of file.contract.adapts.entries()) {
      yield* checkRange(file, entry);
      yield* checkEarlier(file, at, entry);
      const adapter = adapterOf(analysis, file, entry);
      if (!adapter) continue;
      const problem = otherWork(file, entry, adapter);
      if (problem) yield problem;
      else {
        yield* checkInput(file, entry, adapter);
        yield* checkOlderVersions(analysis, file, entry, adapter);
        yield* checkOlderInputs(analysis, file, entry);
      }
    }
  },
};

/** Returns the file of the adapter; `skill-not-found` reports an adapter that does not exist. */
function adapterOf(analysis: Analysis, file: SkillFile, { adapter }: AdaptsEntry): SkillFile | undefined {
  const found = analysis.resolveSkill(file, adapter.name);
  return found?.summary.broken ? undefined : found;
}

/** Reports a range that includes this version or later versions. `invalid-value` reports a string that is no range. */
function* checkRange({ contract }: SkillFile, { from }: AdaptsEntry): Iterable<Draft> {
  const version = valid(contract.version?.name);
  if (version === null || from.name.length > MAX_RANGE || validRange(from.name) === null) return;
  const isOlder = !allows(from.name, version) && gtr(version, from.name);
  if (isOlder) return;
  const message = `\`from\` must contain only versions below ${version}, the version of this skill, but is \`${from.name}\`.`;
  yield { span: from.span, message };
}

/** The largest number of adapters that are compared with each other. */
const MAX_COMPARED = 50;

/** Reports an adapter that no caller uses, because an earlier one serves the same versions. */
function* checkEarlier(file: SkillFile, at: number, { from }: AdaptsEntry): Iterable<Draft> {
  const isRange = ({ name }: Named) => name.length <= MAX_RANGE && validRange(name) !== null;
  if (at >= MAX_COMPARED || !isRange(from)) return;
  const earlier = file.contract.adapts
    .slice(0, at)
    .find((one) => isRange(one.from) && subset(from.name, one.from.name));
  if (!earlier) return;
  const list = findSkillEntry(file.frontmatter.tree.root, 'adapts')?.value;
  const item = listItems(list).findIndex(({ span }) => contains(span, from.span));
  yield {
    severity: 'warning',
    span: from.span,
    message: `No caller uses this adapter, because \`${earlier.adapter.name}\` already serves all versions in \`${from.name}\`. Remove it, or list it first.`,
    related: placesHere(file, [{ span: earlier.from.span }], 'The earlier adapter'),
    fixes:
      list?.kind === 'list' && item >= 0 ? fixHere(file, 'Remove this adapter', removeItem(file.text, list, item)) : [],
  };
}

/** Returns the finding for an adapter that does more than transform one output into another. */
function otherWork(
  file: SkillFile,
  { adapter: { name, span } }: AdaptsEntry,
  { uri, summary, contract }: SkillFile,
): Draft | undefined {
  if (uri === file.uri) return { span, message: 'A skill cannot be its own adapter. Name another skill.' };
  const work = [
    ...(summary.composes.length > 0 ? ['composes skills'] : []),
    ...(contract.tools.length > 0 ? ['uses tools'] : []),
    ...(summary.requiredScopes.length > 0 ? ['requires scopes'] : []),
    ...(summary.effects.length > 0 ? ['has effects'] : []),
    ...(summary.operation !== undefined && summary.operation !== 'TRANSFORM'
      ? [`has the operation \`${summary.operation}\``]
      : []),
  ];
  const [first] = work;
  if (first === undefined) return undefined;
  return {
    span,
    message: `An adapter must only transform values, but \`${name}\` ${first}. Name another skill.`,
  };
}

/** Reports the inputs of the adapter that this version does not return. */
function* checkInput(file: SkillFile, { adapter }: AdaptsEntry, adapterFile: SkillFile): Iterable<Draft> {
  const given = sidesOf(file).output;
  if (!given) return;
  for (const field of sidesOf(adapterFile).input?.fields ?? []) {
    const problem = mismatch(given, field, 'this version');
    if (problem === undefined) continue;
    yield {
      span: adapter.span,
      message: `\`${adapter.name}\` expects \`${field.name}\` (\`${labelOf(field)}\`), but ${problem}. Change its input, or the output of this version.`,
      related: [placeOf(field, `\`${adapter.name}\` expects \`${field.name}\``)],
    };
  }
}

/** Reports the outputs of older versions in the workspace that the adapter does not return. */
function* checkOlderVersions(
  analysis: Analysis,
  file: SkillFile,
  { from, adapter }: AdaptsEntry,
  adapterFile: SkillFile,
): Iterable<Draft> {
  const name = file.contract.name?.name;
  const given = sidesOf(adapterFile).output;
  if (name === undefined || !given) return;
  for (const { skill, version } of versionsOf(analysis, name, file.uri)) {
    if (skill.uri === file.uri || !allows(from.name, version)) continue;
    const older = analysis.file(skill.uri);
    for (const field of (older && sidesOf(older).output?.fields) ?? []) {
      const problem = mismatch(given, field, `\`${adapter.name}\``);
      if (problem === undefined) continue;
      yield {
        span: adapter.span,
        message: `Version ${version} returns \`${field.name}\` (\`${labelOf(field)}\`), but ${problem}. Change the output of \`${adapter.name}\`.`,
        related: [placeOf(field, `\`${field.name}\` of version ${version}`)],
      };
    }
  }
}

/** Reports the inputs of this version that the callers of older versions in the workspace do not pass. */
function* checkOlderInputs(analysis: Analysis, file: SkillFile, { from }: AdaptsEntry): Iterable<Draft> {
  const name = file.contract.name?.name;
  if (name === undefined) return;
  for (const { skill, version } of versionsOf(analysis, name, file.uri)) {
    if (skill.uri === file.uri || !allows(from.name, version)) continue;
    const older = analysis.file(skill.uri);
    const passed = older && sidesOf(older).input;
    if (!passed) continue;
    for (const field of sidesOf(file).input?.fields ?? []) {
      const value = findField(passed, field.name);
      const isNeeded = field.isRequired && !field.hasDefault;
      const problem = !value
        ? isNeeded && !passed.isOpen
          ? 'do not pass it'
          : undefined
        : relateFields(value, field).kind === 'clash'
          ? `pass \`${labelOf(value)}\``
          : isNeeded && !isAlwaysSet(value)
            ? 'may leave it out'
            : undefined;
      if (problem === undefined) continue;
      yield {
        severity: 'warning',
        span: from.span,
        message: `This version expects \`${field.name}\` (\`${labelOf(field)}\`), but callers of version ${version} ${problem}. An adapter does not change inputs.`,
        related: [placeOf(field, `\`${field.name}\` of this version`)],
      };
    }
  }
}

/** Returns why a side does not provide a field, as a clause with the subject `who`; undefined if it may provide it. */
function mismatch(side: Side, field: Field, who: string): string | undefined {
  const value = findField(side, field.name);
  const isNeeded = field.isRequired && !field.hasDefault;
  if (!value) return isNeeded && !side.isOpen ? `${who} does not return it` : undefined;
  if (relateFields(value, field).kind === 'clash') return `${who} returns \`${labelOf(value)}\``;
  return isNeeded && !isAlwaysSet(value) ? `${who} may leave it out` : undefined;
}
