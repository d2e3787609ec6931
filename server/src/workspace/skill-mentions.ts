/** The places at which a file names skills without a sign: the only source for references, rename and misspelt names. */
import type { YamlNode, YamlScalar } from '../languages/yaml/node.ts';
import { type PlainReference, plainReferencesIn } from '../skill/plain-references.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { manifestOf } from '../skill-folder/plugins.ts';
import { sliceOf, span } from '../text.ts';
import { agentFileOf, isInstructions } from '../vocabulary/dialect.ts';

/**
 * Returns the references without a sign in a `SKILL.md` or in a file of a client, in text order; empty for other
 * dialects. The workspace decides whether a skill has the name. Never throws. Implements docs/format.md, section 9,
 * "References without a sign".
 */
export const skillMentions = (file: SkillFile): readonly PlainReference[] => [
  ...mentionsInHead(file),
  ...mentionsInBody(file),
];

/** Returns the references of `skillMentions` before the body, without parsing the body. Never throws. */
export const mentionsInHead = (file: SkillFile): readonly PlainReference[] => file.derive(findInHead);

/** Returns the references of `skillMentions` in the body. Never throws. */
export const mentionsInBody = (file: SkillFile): readonly PlainReference[] => file.body?.plainReferences ?? [];

/**
 * Returns whether a reference certainly names a skill if a skill has this name. False for words that may be ordinary
 * ones, and for the prose of instructions, which is about more than skills.
 */
export const isSureMention = ({ uri }: SkillFile, { form }: PlainReference): boolean =>
  form !== 'loose' && (!isInstructions(uri) || form === 'link' || form === 'path');

function findInHead(file: SkillFile): readonly PlainReference[] {
  switch (file.dialect) {
    case 'agent-skill':
    case 'client-file':
      return inFrontmatter(file);
    case 'plugin':
      return inManifest(file);
    case 'evals':
      return inEvals(file);
    default:
      return [];
  }
}

/** The keys whose values are prose about the skill. */
const PROSE = ['description', 'when_to_use'];

/** The call of the tool `Skill` before a name. */
const CALL_BEFORE = /\bSkill\((?:[\w-]+:)?$/;

function inFrontmatter({ text, frontmatter, uri }: SkillFile): readonly PlainReference[] {
  const { root } = frontmatter.tree;
  if (root?.kind !== 'map') return [];
  return root.entries.flatMap(({ key, value }) => {
    const name = String(key.value);
    if (name === 'name') return [];
    if (name === 'skills' && agentFileOf(uri)?.kind === 'agent')
      return scalarsIn(value).flatMap((one) => listed(text, one));
    const found = plainReferencesIn(sliceOf(text, value.span), value.span.start);
    if (PROSE.includes(name)) return found;
    return found.flatMap((one): PlainReference | [] => {
      if (one.form === 'loose') return [];
      const before = text.slice(Math.max(0, one.nameSpan.start - 80), one.nameSpan.start);
      return CALL_BEFORE.test(before) ? { ...one, form: 'list' } : one;
    });
  });
}

function scalarsIn(node: YamlNode): readonly YamlScalar[] {
  if (node.kind === 'scalar') return [node];
  return node.kind === 'list' ? node.items.flatMap(scalarsIn) : node.entries.flatMap(({ value }) => scalarsIn(value));
}

/** A name of a skill, which may have the name of a plugin before it. */
const ENTRY = /(?<![\w:-])(?:[a-z0-9-]{1,64}:)?([a-z0-9]+(?:-[a-z0-9]+)*)(?![\w:-])/g;

/** Returns the names in a scalar that contains only names, separated by commas. */
function listed(text: string, { span: place, value, source }: YamlScalar): readonly PlainReference[] {
  const written = sliceOf(text, place);
  // An alias has the value of another scalar.
  if (value !== source || /^[*&!]/.test(written) || !/^[\w:-]+(?:\s*,\s*[\w:-]+)*$/.test(source)) return [];
  return [...written.matchAll(ENTRY)].map(({ 0: all, 1: name = '', index }) => {
    const end = place.start + index + all.length;
    const nameSpan = span(end - name.length, end);
    return { kind: 'skill', form: 'list', name, span: span(end - all.length, end), nameSpan, path: '' };
  });
}

/** Returns each folder in the paths of a manifest, of which at most one is the folder of a skill. */
function inManifest(file: SkillFile): readonly PlainReference[] {
  const { text } = file;
  const found = manifestOf(file).places.flatMap(({ span: place, folder }) => {
    const written = sliceOf(text, place);
    return [...written.matchAll(/[a-z0-9]+(?:-[a-z0-9]+)*(?=\\?\/|$)/g)].flatMap(({ 0: name, index }) => {
      if (/[^/]$/.test(written.slice(0, index))) return [];
      const nameSpan = span(place.start + index, place.start + index + name.length);
      const path = written.slice(0, index + name.length).replaceAll('\\/', '/');
      return [{ kind: 'skill', form: 'link', name, span: nameSpan, nameSpan, path, base: folder } as const];
    });
  });
  return found.sort((a, b) => a.span.start - b.span.start);
}

/** A key of a case or of all cases whose value is the name of a skill. */
const SKILL_KEY = /^(?:(?:expected|target)[_-]?)?skills?(?:[_-]?names?)?$/i;

/** Returns the names of skills in the values of keys such as `skill_name`, and in the text of the cases. */
function inEvals({ text, frontmatter }: SkillFile): readonly PlainReference[] {
  const { root } = frontmatter.tree;
  const found: PlainReference[] = [];
  const open: { readonly node: YamlNode; readonly isName: boolean }[] = root ? [{ node: root, isName: false }] : [];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, isName } = next;
    if (node.kind === 'list') open.push(...node.items.map((item) => ({ node: item, isName })));
    else if (node.kind === 'map')
      open.push(...node.entries.map(({ key, value }) => ({ node: value, isName: SKILL_KEY.test(String(key.value)) })));
    else if (typeof node.value === 'string')
      found.push(...(isName ? listed(text, node) : plainReferencesIn(sliceOf(text, node.span), node.span.start)));
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}
