import type { Analysis } from '../../analysis/analysis.ts';
import { declareIn, inner, replaceName } from '../../analysis/name-fixes.ts';
import { requiresUndeclared } from '../../composer/validate.ts';
import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { formatScalar, removeEntry, removeItem } from '../../languages/yaml/edit.ts';
import { findValue, isNull, listItems, mapEntries } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { findSkillEntry, type Named, namedOf } from '../../skill/contract.ts';
import { readExit } from '../../skill/execution/exit.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, sliceOf } from '../../text.ts';
import { capabilityKeys } from '../../vocabulary/policy-keys.ts';
import { findKey } from '../../vocabulary/shape.ts';
import { isNamed, type Rule } from '../engine/rule.ts';
import { draftOf, valueProblems } from './shape-problems.ts';

export const invalidValue: Rule = {
  name: 'invalid-value',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 2 and 6' },
  dialects: ['composer', 'contract', 'catalog'],
  readsCertainKeys: true,
  readsTests: true,
  prevents: ['composition'],
  *check(file, analysis, table) {
    for (const problem of valueProblems(file, undefined)) yield draftOf(file, problem);
    if (file.dialect === 'catalog') {
      yield* unknownRules(file, table);
      yield* unknownRoles(analysis, file, rolesOfProfiles(file));
      return;
    }
    yield* unknownRoles(analysis, file, file.contract.allowedRoles);
    yield* wrongExit(analysis, file);
    yield* requiredTools(file);
    yield* wrongCapabilities(file);
  },
};

/** Reports an exit that lacks a required key, or has a key of another kind of exit. */
function* wrongExit(analysis: Analysis, file: SkillFile): Iterable<Draft> {
  const { root } = file.frontmatter.tree;
  for (const problem of readExit(root, file.contract).problems) {
    if (problem.isShape) continue;
    const { span, message, suggestion, near, surplus } = problem;
    const exit = findSkillEntry(root, 'exit')?.value;
    if (surplus !== undefined && exit?.kind === 'map') {
      const fixes = fixHere(file, `Remove \`${surplus}\``, removeEntry(file.text, exit, surplus));
      yield { span, message: `${message} ${suggestion}`, fixes };
      continue;
    }
    const name = near && sliceOf(file.text, inner(file.text, span));
    const fixes = name
      ? [
          ...replaceName(file, [span], near),
          ...(analysis.catalogOf(file.uri).interrupts.has(name)
            ? declareIn(file, 'interrupts', name, `Declare \`${name}\` in \`interrupts\``)
            : []),
        ]
      : [];
    yield { span, message: `${message} ${suggestion}`, fixes };
  }
}

/**
 * Reports entries of `capabilities_required` that require nothing, and their unknown keys. The planner would dispatch
 * the skill for callers without the capability.
 */
function* wrongCapabilities(file: SkillFile): Iterable<Draft> {
  const unknown = file.problems.filter(({ kind, rule }) => kind === 'unknown-key' && rule === 'invalid-value');
  for (const problem of unknown) yield draftOf(file, problem);
  const list = findSkillEntry(file.frontmatter.tree.root, 'capabilities_required')?.value;
  for (const [index, item] of listItems(list).entries()) {
    const isEmpty =
      item.kind === 'map'
        ? item.entries.every(({ key, value }) => isNull(value) || !findKey(capabilityKeys, String(key.value)))
        : isNull(item);
    if (!isEmpty || unknown.some(({ span }) => contains(item.span, span))) continue;
    yield {
      span: item.span,
      message: 'This entry requires no capability. Write `{feature_flag: NAME}` or `{tier: NAME}`, or remove it.',
      fixes: list?.kind === 'list' ? fixHere(file, 'Remove the empty entry', removeItem(file.text, list, index)) : [],
    };
  }
}

function* requiredTools({ contract }: SkillFile): Iterable<Draft> {
  const { tools, requiresTools: said } = contract;
  if (!said || !requiresUndeclared({ requiresTools: said.value, tools })) return;
  yield {
    span: said.span,
    message:
      'The skill requires tools but declares none, so it cannot be composed. Declare `tools`, or remove this key.',
  };
}

/** The largest number of unknown roles that get suggestions, because each suggestion visits all known roles. */
const MAX_SUGGESTIONS = 20;

function* unknownRoles(analysis: Analysis, file: SkillFile, named: readonly Named[]): Iterable<Draft> {
  const { roles } = analysis.parsedCatalogOf(file.uri);
  // Roles are not checked if the catalog declares no roles.
  if (!roles) return;
  const unknown = named.filter(({ name }) => !roles.has(name));
  for (const [number, { name, span }] of unknown.entries()) {
    const near = number < MAX_SUGGESTIONS ? nearestNames(name, roles.keys()) : [];
    yield {
      span,
      message: `Unknown role \`${name}\`.${didYouMean(near) || ' Add it to `roles` in the catalog, or use a declared role.'}`,
      fixes: near.flatMap((right) =>
        fixHere(file, `Replace with \`${right}\``, [{ span, newText: formatScalar(right, true) }]),
      ),
    };
  }
}

const rolesOfProfiles = ({ frontmatter }: SkillFile): readonly Named[] =>
  listItems(findValue(frontmatter.tree.root, 'profiles')).flatMap((item) => namedOf(findValue(item, 'role')) ?? []);

function* unknownRules(file: SkillFile, table: readonly Rule[]): Iterable<Draft> {
  for (const { key } of mapEntries(findValue(file.frontmatter.tree.root, 'rules'))) {
    const name = String(key.value);
    if (table.some((rule) => isNamed(rule, name))) continue;
    const near = nearestNames(
      name,
      table.map((rule) => rule.name),
      1,
    );
    yield {
      span: key.span,
      message: `Unknown rule \`${name}\`.${didYouMean(near) || ' Remove it.'}`,
      fixes: near.flatMap((right) => fixHere(file, `Rename to \`${right}\``, [{ span: key.span, newText: right }])),
    };
  }
}
