/** The types of `plugin.ts`: the rules of a client for plugins, and the facts about a plugin. */
import type { Stop } from './reading.ts';
import type { Setting } from './setting.ts';

/** How a client loads plugins. */
export interface PluginRules {
  /** The manifests, below the folder of the plugin. The first one that exists counts. */
  readonly manifests: readonly string[];
  /** The manifests of marketplaces whose entries the client reads. */
  readonly marketplaces: readonly string[];
  /** The manifests of this client. One of them makes it a client of the plugin, whatever the target clients are. */
  readonly own: readonly string[];
  /** How a plugin is installed, as the object of *with*. */
  readonly installed: string;
  /** The keys without which the client refuses the plugin. */
  readonly required: readonly ('name' | 'version')[];
  /** A regular expression for the names that the client accepts. */
  readonly names: string;
  /** True if the client uses the default folder of a plugin whose manifest is not valid JSON. */
  readonly readsBroken: boolean;
  /** The effect of the key `skills` on the folder `skills`. */
  readonly key: 'adds' | 'replaces' | 'ignored';
  /** The form of a path in `skills`: it begins with `./`, and also leads to a folder below without `..`; or any. */
  readonly form: 'dot' | 'dot-below' | 'any';
  /** A path in another form, or a value of another type: the plugin, the whole key, or the path has no effect. */
  readonly invalid: 'plugin' | 'key' | 'path';
  /** The `SKILL.md` beside the manifest: a skill without a folder `skills` and the key, or if the key names it; or never. */
  readonly root: Setting<'alone' | 'never'>;
  /**
   * The manifests whose paths in `skills` the client copies into the folder `skills`: each must be the folder of a skill, or
   * the folder `skills`.
   */
  readonly copies?: readonly string[];
  /** The scope in an entry of the list. */
  readonly scope: 'plugin' | 'extension';
  /** A `SKILL.md` directly in a folder of skills: the only skill of this folder, one beside the others, or not loaded. */
  readonly direct: Setting<'only' | 'beside' | 'never'>;
  /** The largest number of folders between a folder of skills and the file; null without a limit. */
  readonly depth: Setting<number | null>;
  /** The name: bare, after the name of the plugin and a colon, or the same with a hyphen for each unusual character. */
  readonly name: 'bare' | 'prefixed' | 'prefixed-ascii';
  /** True if a manifest above a skill in the client's own folders also prefixes the name. */
  readonly prefixesOwn?: true;
  /** True if a plugin in the client's own folder of skills is loaded there. */
  readonly inPlace?: true;
  /** False if the list leaves out a skill of a plugin without a description. */
  readonly undescribed: Setting<boolean>;
  /**
   * True if a command of the plugin with a description is used instead of its skill of this name, and a `SKILL.md` may be a
   * command.
   */
  readonly commandsFirst?: true;
}

/** A manifest in the folder of a plugin. */
export interface Manifest {
  /** The path below the folder of the plugin. */
  readonly path: string;
  /** True if it is not valid JSON, or not a map. */
  readonly isBroken?: true;
  readonly name?: string;
  readonly version?: string;
  /** The paths in `skills`; null for a value of another type, or a list with one. */
  readonly skills?: readonly string[] | null;
  /** The commands in `commands`, which replace the folder `commands`; those of an entry are added to it. */
  readonly commands?: readonly NamedCommand[];
  /** True if it names components. */
  readonly hasComponents?: true;
}

/** A command in a manifest: the path of a file or a folder, a text, or one of these with a name. */
export interface NamedCommand {
  readonly path?: string;
  readonly name?: string;
  /** True if the manifest itself describes it. */
  readonly isDescribed?: true;
}

/** A command of a plugin in Claude Code. */
export interface PluginCommand {
  /** The name after that of the plugin: the folders and the file, with `:` between them. */
  readonly name: string;
  /** The name with the value of `name` at its end, which may be a second name; undefined without the key. */
  readonly label?: string;
  /** The absolute path of its file, or of the manifest with its text. */
  readonly path: string;
  /** False if the list leaves it out, because it has no description. */
  readonly isDescribed: boolean;
}

/** An entry of a marketplace whose source is the folder of a plugin. */
export interface PluginEntry extends Omit<Manifest, 'version'> {
  /** True if the folder is that of the marketplace. */
  readonly isShared?: true;
  /** False if the entry is used instead of the manifest. */
  readonly isStrict: boolean;
}

/** The folder of a plugin above a file. */
export interface PluginFolder {
  /** The absolute path, with `/`. */
  readonly path: string;
  readonly manifests: readonly Manifest[];
  readonly entries: readonly PluginEntry[];
  readonly commands: readonly PluginCommand[];
  /** The path of a plugin with the same name in the same folder, which is loaded instead of this one. */
  readonly instead?: string;
  /** The absolute paths of the folders that are skills if they have a `SKILL.md`. */
  readonly direct: ReadonlySet<string>;
  /** The plans of clients, which are made once for all files. */
  readonly plans: Map<PluginRules, Map<Manifest | PluginEntry, PluginPlan>>;
}

/** A plugin as a client loads it, for one manifest or one entry of a marketplace. */
export interface PluginPlan {
  /** The reason why the client does not load it. */
  readonly refused?: Stop;
  /** The absolute paths of the folders of skills. */
  readonly folders: ReadonlySet<string>;
  /** True if the key `skills` has an effect. */
  readonly isKeyUsed: boolean;
  /** True if the folders are copied into the folder `skills`. */
  readonly isCopied?: true;
}

/** The plugin with which a client loads a skill. */
export interface PluginPlace {
  /** The name of the plugin. */
  readonly name: string;
  /** The path of its folder. */
  readonly path: string;
  /** The names of other plugins that ship the same file. Only the plugin that was installed first has it. */
  readonly others?: readonly string[];
  /** The name of the skill if it is a command of the plugin. */
  readonly command?: string;
  /** True if the client loads it in its own folder of skills. */
  readonly isInPlace?: true;
  /** True if the folder of skills itself is the skill, which is then named by its `name`. */
  readonly isDirect?: true;
}
