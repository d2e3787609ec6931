/** The names of plugins, marketplaces and extensions that clients refuse (docs/format.md, section 9, "Plugins"). */

export interface NameFault {
  /** The sentence without its consequence. */
  readonly what: string;
  readonly effect: 'not-loaded' | 'not-installed' | 'refused' | 'not-listed' | 'doubted';
}

/** The letters of names that can be installed from a marketplace. */
const INSTALLED = /^[A-Za-z0-9][-A-Za-z0-9._]*$/;
const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Control characters, and marks that change the direction of text. */
const INVISIBLE = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const RESERVED_PLUGIN =
  /^(?:claude|anthropics?|claude-code|claude-mods)$|^(?:claude|anthropics?|cc-plugin)-|official[^a-z0-9]*(?:anthropic|claude)|(?:anthropic|claude)[^a-z0-9]*official/i;
const DOUBTED = /(?:^|[^a-z0-9])(?<name>claude|anthropic)(?:[^a-z0-9]|$)/i;
const IMPERSONATING = /official[^a-z0-9]*(?:anthropic|claude)|(?:anthropic|claude)[^a-z0-9]*official/i;

/** Names of marketplaces that mean something else in Claude Code. */
const RESERVED_MARKETPLACES: ReadonlySet<string> = new Set([
  'inline',
  'builtin',
  'skills-dir',
  'synced',
  'claude-plugin-test',
]);

/** Returns the fault of the name of a plugin in Claude Code. */
export function pluginNameFault(name: string): NameFault | undefined {
  if (name === '') return { what: 'The name is empty.', effect: 'not-loaded' };
  if (INVISIBLE.test(name)) return { what: 'The name contains an invisible character.', effect: 'not-loaded' };
  if (/\s/.test(name)) return { what: 'The name contains a space.', effect: 'not-loaded' };
  const sign = /[@:/\\]/.exec(name)?.[0];
  if (sign !== undefined) return { what: `The name contains \`${sign}\`.`, effect: 'not-loaded' };
  if (!INSTALLED.test(name)) {
    return {
      what: 'The name must begin with a letter or a digit, and have only letters, digits, `.`, `_` and `-`.',
      effect: 'not-installed',
    };
  }
  if (RESERVED_PLUGIN.test(name)) return { what: 'The name is reserved for plugins of Anthropic.', effect: 'refused' };
  if (!KEBAB.test(name)) {
    return { what: 'The name has other characters than `a-z`, `0-9` and single hyphens.', effect: 'not-listed' };
  }
  const vendor = DOUBTED.exec(name)?.groups?.name;
  if (vendor === undefined) return undefined;
  return { what: `With \`${vendor}\` in its name, the plugin seems to be one of Anthropic.`, effect: 'doubted' };
}

/** Returns the fault of the name of a marketplace in Claude Code. */
export function marketplaceNameFault(name: string): NameFault | undefined {
  if (name === '') return { what: 'The name is empty.', effect: 'not-loaded' };
  if (RESERVED_MARKETPLACES.has(name)) return { what: `The name \`${name}\` is reserved.`, effect: 'not-loaded' };
  if (IMPERSONATING.test(name)) {
    return { what: 'The name looks like one of the marketplaces of Anthropic.', effect: 'not-loaded' };
  }
  if (INSTALLED.test(name)) return undefined;
  return {
    what: 'The name must begin with a letter or a digit, and have only letters, digits, `.`, `_` and `-`.',
    effect: 'not-loaded',
  };
}

/** Returns the fault of the name of an extension in Gemini CLI or Qwen Code. */
export function extensionNameFault(client: string, name: string): NameFault | undefined {
  if (client === 'gemini-cli') {
    return /^[a-zA-Z0-9-]+$/.test(name)
      ? undefined
      : { what: 'The name may have only letters, digits and hyphens.', effect: 'not-loaded' };
  }
  return /^[a-zA-Z0-9-_.]+$/.test(name)
    ? undefined
    : { what: 'The name may have only letters, digits, `-`, `_` and `.`.', effect: 'not-loaded' };
}

/** Returns the fault of the name of a plugin in the Agent Plugins specification. */
export function agentPluginNameFault(name: string): NameFault | undefined {
  const isRight = /^[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?$/.test(name) && !/--|\.\./.test(name);
  return isRight
    ? undefined
    : {
        what: 'The name must have 1 to 64 of `a-z`, `0-9`, `-` and `.`, and begin and end with a letter or a digit.',
        effect: 'not-loaded',
      };
}

/** Returns a name that every client accepts, made of a name. */
export function plainName(name: string): string | undefined {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '');
  return plain === '' ? undefined : plain;
}
