/** Adds a request to a skill as a routing case that should or should not match (docs/matching.md, "Routing cases"). */
import { routingCases } from '../analysis/routing.ts';
import { canonical, isObject } from '../languages/schema/schema.ts';
import { appendItem, formatScalar, insertEntry } from '../languages/yaml/edit.ts';
import { isNull, type Json, jsonOf } from '../languages/yaml/node.ts';
import { findSkillEntry } from '../skill/contract.ts';
import { insertKey } from '../skill/insert-key.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { applyEdits, type TextEdit } from '../text.ts';

type KeptCase = { readonly edits: readonly TextEdit[] } | { readonly problem: string };

/** Returns the smallest edits that add a routing case; no edits if the skill already contains the request. */
export function keepRoutingCase(file: SkillFile, request: string, should: boolean): KeptCase {
  if (file.frontmatter.tree.broken) return { problem: 'The frontmatter is invalid. Fix its YAML first.' };
  const known = routingCases(file).find((one) => one.request === request);
  if (known?.should === should) return { edits: [] };
  if (known) {
    return {
      problem: 'The skill already contains the opposite routing case for this request. Remove that case first.',
    };
  }
  const key = should ? 'should' : 'should_not';
  const edits = editsFor(file, key, request);
  const after = new SkillFile(file.uri, applyEdits(file.text, edits));
  const isKept =
    edits.length > 0 && canonical(jsonOf(after.frontmatter.tree.root)) === canonical(expected(file, key, request));
  return isKept
    ? { edits }
    : { problem: 'The routing case cannot be added automatically. Add it under `routing` by hand.' };
}

type Key = 'should' | 'should_not';

function editsFor(file: SkillFile, key: Key, request: string): readonly TextEdit[] {
  const { text, frontmatter } = file;
  const item = formatScalar(request);
  const { root } = frontmatter.tree;
  const routing = findSkillEntry(root, 'routing')?.value;
  if (!routing) {
    const isFlow = root?.kind === 'map' && root.flow;
    return insertKey(
      file,
      'routing',
      isFlow ? `{${key}: [${formatScalar(request, true)}]}` : `\n  ${key}:\n    - ${item}`,
    );
  }
  if (routing.kind === 'map') return appendItem(text, routing, key, item);
  return routing.kind === 'scalar' && isNull(routing) ? insertEntry(text, routing, key, `\n  - ${item}`) : [];
}

/** Returns the expected frontmatter, with the request added and all other values unchanged. */
function expected(file: SkillFile, key: Key, request: string): Json {
  const all = jsonOf(file.frontmatter.tree.root);
  const name = String(findSkillEntry(file.frontmatter.tree.root, 'routing')?.key.value ?? 'routing');
  const { [name]: routing = null, ...others } = isObject(all) ? all : {};
  const { [key]: list = null, ...rest } = isObject(routing) ? routing : {};
  return { ...others, [name]: { ...rest, [key]: [...(Array.isArray(list) ? list : []), request] } };
}
