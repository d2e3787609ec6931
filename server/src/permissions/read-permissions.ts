/** Which skills a workspace lets people and planners use, as its catalogs say (docs/format.md, section 6, "Permissions"). */
import { findEntry, findValue, isNull, mapEntries, type YamlNode } from '../languages/yaml/node.ts';
import { namesOf } from '../skill/contract.ts';
import type { Permission } from '../skill/package.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Span } from '../text.ts';

/** What a catalog says of skills by their names, and of all others. */
export interface Permissions {
  /** An entry goes before the default as a whole. */
  readonly permissions: ReadonlyMap<string, Permission>;
  readonly permissionsDefault: Permission | undefined;
}

export function readPermissions({ uri, frontmatter }: SkillFile): Permissions {
  const { root } = frontmatter.tree;
  const fallback = findEntry(root, 'permissions_default');
  return {
    permissions: new Map(
      mapEntries(findValue(root, 'permissions')).map(({ key, value }) => [
        String(key.value),
        readPermission(uri, key.span, value),
      ]),
    ),
    permissionsDefault: fallback && readPermission(uri, fallback.key.span, fallback.value),
  };
}

function readPermission(uri: string, span: Span, node: YamlNode): Permission {
  const list = (key: string): readonly string[] | undefined => {
    const value = findValue(node, key);
    const isGiven = value?.kind === 'list' || (value?.kind === 'scalar' && value.value !== null);
    return isGiven ? namesOf(value).map(({ name }) => name) : undefined;
  };
  const enabled = node.kind === 'scalar' ? node : findValue(node, 'enabled');
  return { uri, span, enabled: !enabled || saysYes(enabled), channels: list('channels'), contexts: list('contexts') };
}

/** What somebody wrote to keep a skill out does so, misspelt too. */
export const saysYes = (node: YamlNode): boolean =>
  isNull(node) || (node.kind === 'scalar' && /^(?:true|yes|on)$/i.test(String(node.value)));

/** What a catalog says of a skill; undefined where it says nothing. */
export const permissionOf = (
  { permissions, permissionsDefault }: Permissions,
  name: string | undefined,
): Permission | undefined => (name === undefined ? undefined : permissions.get(name)) ?? permissionsDefault;
