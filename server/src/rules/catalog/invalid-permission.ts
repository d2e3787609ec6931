import type { Analysis } from '../../analysis/analysis.ts';
import { placeIn, valueAt } from '../../analysis/composed-skills.ts';
import { declareIn, replaceName } from '../../analysis/name-fixes.ts';
import { findGoverningCatalog } from '../../analysis/permissions.ts';
import type { Draft, Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { removeEntry, removeItem } from '../../languages/yaml/edit.ts';
import { findValue, mapEntries, type YamlEntry, type YamlMap } from '../../languages/yaml/node.ts';
import { didYouMean, inWords, nearestNames } from '../../nearest.ts';
import { allowsContext, isTruthyValue } from '../../permissions/may-use.ts';
import { type Named, namesOf } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span, sliceOf } from '../../text.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { draftOf } from '../any-file/shape-problems.ts';
import type { Rule } from '../engine/rule.ts';

/** A permission that is invalid or has no effect on any skill. */
export const invalidPermission: Rule = {
  name: 'invalid-permission',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6, "Permissions"' },
  dialects: ['catalog'],
  *check(file, analysis) {
    for (const problem of file.problems) {
      if (problem.rule !== 'invalid-permission') continue;
      const draft = draftOf(file, problem);
      yield { ...draft, fixes: [...(draft.fixes ?? []), ...asPermission(file, problem.span)] };
    }
    const permissions = findValue(file.frontmatter.tree.root, 'permissions');
    if (permissions?.kind !== 'map' || analysis.partial) return;
    for (const entry of permissions.entries) yield* checkEntry(file, analysis, permissions, entry);
  },
};

/** Offers to replace a value such as `off` with a permission. */
function asPermission(file: SkillFile, span: Span): readonly Fix[] {
  const { root } = file.frontmatter.tree;
  const values = [...mapEntries(findValue(root, 'permissions')).map(({ value }) => value), findValue(root, DEFAULT)];
  const value = values.find((one) => one?.kind === 'scalar' && one.span.start === span.start);
  if (!value || !/^(?:true|yes|on|false|no|off)$/i.test(sliceOf(file.text, span))) return [];
  const newText = `{enabled: ${isTruthyValue(value)}}`;
  return fixHere(file, `Replace with \`${newText}\``, [{ span, newText }]);
}

const DEFAULT = 'permissions_default';

function* checkEntry(file: SkillFile, analysis: Analysis, map: YamlMap, entry: YamlEntry): Iterable<Draft> {
  const name = String(entry.key.value);
  const skills = analysis.skillsNamed(name, file.uri);
  if (skills.length === 0) {
    if (!analysis.mayBeUnreadable(name)) yield unknownSkill(file, analysis, map, entry);
    return;
  }
  const governed = skills.filter((skill) => findGoverningCatalog(analysis, skill.uri)?.uri === file.uri);
  if (governed.length === 0) yield otherCatalogDraft(file, analysis, map, entry, skills);
  else yield* refusedContexts(file, analysis, entry, governed);
}

function unknownSkill(file: SkillFile, analysis: Analysis, map: YamlMap, { key }: YamlEntry): Draft {
  const name = String(key.value);
  const taken = new Set(mapEntries(map).map((one) => String(one.key.value)));
  const near = nearestNames(name, analysis.graph.names).filter((other) => !taken.has(other));
  return {
    span: key.span,
    message: `Unknown skill \`${name}\`.${didYouMean(near) || ' This permission has no effect: remove it.'}`,
    fixes: [...replaceName(file, [key.span], near), ...removal(file, map, name)],
  };
}

const removal = (file: SkillFile, map: YamlMap, name: string): readonly Fix[] =>
  fixHere(file, `Remove the permission for \`${name}\``, removeEntry(file.text, map, name));

function otherCatalogDraft(
  file: SkillFile,
  analysis: Analysis,
  map: YamlMap,
  { key }: YamlEntry,
  skills: readonly IndexedSkill[],
): Draft {
  const name = String(key.value);
  const others = skills.flatMap(({ uri }) => findGoverningCatalog(analysis, uri) ?? []);
  return {
    span: key.span,
    message: `Another catalog governs \`${name}\`, so this permission has no effect. Move it to that catalog, or remove it.`,
    related: [...new Set(others)].map((other) => ({
      uri: other.uri,
      span: other.permissions.get(name)?.span ?? { start: 0, end: 0 },
      message: `This catalog governs \`${name}\``,
    })),
    fixes: removal(file, map, name),
  };
}

/** Reports contexts that no version of the skill allows. */
function* refusedContexts(
  file: SkillFile,
  analysis: Analysis,
  { key, value }: YamlEntry,
  skills: readonly IndexedSkill[],
): Iterable<Draft> {
  const name = String(key.value);
  const [skill] = skills;
  const contexts = namesOf(findValue(value, 'contexts'));
  const allowed = [...new Set(skills.flatMap(({ summary }) => summary.allowedContexts))];
  const isOpen = skills.some(({ summary }) => summary.broken || summary.allowedContexts.length === 0);
  if (!skill || isOpen) return;
  for (const context of contexts) {
    if (!CONTEXTS.has(context.name) || allowsContext(allowed, context.name)) continue;
    const unused = allowed.filter((one) => !contexts.some((other) => other.name === one));
    yield {
      span: context.span,
      message: `\`${context.name}\` has no effect here, because \`${name}\` allows only ${inWords(allowed, 'and')}. Remove it, or allow it in the skill.`,
      related: placeIn(analysis, skill, valueAt('allowed_contexts'), `The contexts that \`${name}\` allows`),
      fixes: [
        ...replaceName(file, [context.span], unused),
        ...removeContext(file, value, context),
        ...(skills.length === 1 ? allowIn(analysis, skill, context.name) : []),
      ],
    };
  }
}

/** The known contexts. The check of the vocabulary reports other values. */
const CONTEXTS = new Set(['channel', 'workspace', 'scheduled', 'autonomous']);

/** Offers to remove a context, but not the last context, because a skill without contexts would be disabled. */
function removeContext(file: SkillFile, permission: YamlEntry['value'], context: Named): readonly Fix[] {
  const list = findValue(permission, 'contexts');
  if (list?.kind !== 'list' || list.items.length < 2) return [];
  const at = list.items.findIndex((item) => contains(item.span, context.span));
  return fixHere(file, `Remove \`${context.name}\``, removeItem(file.text, list, at));
}

function allowIn(analysis: Analysis, { uri, summary }: IndexedSkill, context: string): readonly Fix[] {
  const skill = analysis.file(uri);
  const title = `Allow \`${context}\` in \`${summary.name}\``;
  return skill ? declareIn(skill, 'allowed_contexts', context, title) : [];
}
