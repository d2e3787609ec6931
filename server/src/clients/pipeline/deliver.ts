/**
 * The step `deliver` of a client (docs/clients.md, "Delivered"): the text that reaches the model when it calls a skill, or
 * when a person does.
 */

import { type FileList, type ListedFiles, listOfFiles } from './deliver-files.ts';
import { type DeliveredCut, limited, type TextLimit } from './deliver-limits.ts';
import type { Named } from './fields.ts';
import { type ClientPlace, splitPath } from './file.ts';
import { type Ask, resultWith, type Setting } from './setting.ts';

export interface DeliverRules {
  readonly model: CallRules;
  readonly person: CallRules;
  /** The way to allow the model's call without a person; undefined if the client is not seen to ask. */
  readonly permission?: PermissionRules;
}

/** The model calls a skill, or a person types its name. */
export type Call = 'model' | 'person';

export interface CallRules {
  /** The tool that the model calls, or the text that a person types, with `{name}`; null without one. */
  readonly by: string | null;
  readonly gives: Setting<Gives>;
  /**
   * The text, with `{content}`, the body or the file, and `{name}`, `{description}`, `{directory}`, `{path}`, `{scope}`,
   * `{files}`, `{more}` and `{arguments}`. Null if it is not known.
   */
  readonly text: string | null;
  /** The text of a call without arguments, if it differs; null if it is not known. */
  readonly bare?: string | null;
  /** A longer text for a placeholder that has a value, in which the placeholder is that value. */
  readonly parts?: Readonly<Partial<Record<'description' | 'files' | 'arguments', string>>>;
  readonly files?: FileList;
  /** The cuts in a text that is too long: the first one that applies. Undefined if the client was not seen to cut. */
  readonly limits?: readonly TextLimit[];
  /** The white space before the first character of the content, and after its last one. */
  readonly start: Setting<Edge>;
  readonly end: Setting<Edge>;
  /** CRLF becomes LF, or is kept. */
  readonly breaks: Setting<'kept' | 'lf'>;
  /** The line break after each line `---` in the body. */
  readonly rules: Setting<'kept' | 'joined'>;
  /** Placeholders for arguments in the body: filled in by the client's rules, or kept as text. */
  readonly arguments: Setting<'filled' | 'kept'>;
  /** Patterns of secrets in the content that the client replaces with asterisks, without regard to case. */
  readonly masks?: readonly string[];
  /** Without a person at the terminal: the call works, or its text goes to the model as it is typed. */
  readonly headless: Setting<'works' | 'text'>;
}

/**
 * The content of a call: the body; the whole file; only a name, after which the model must read the file; or nothing,
 * because the model itself reads the file with a tool for files.
 */
export type Gives = 'body' | 'file' | 'name' | 'nothing';

/** Kept; without line breaks; without white space; or without white space only if the file has frontmatter before it. */
export type Edge = 'kept' | 'breaks' | 'trimmed' | 'trimmed-after-keys';

export interface PermissionRules {
  /** The command that refuses the call without a person, for example `claude -p`. */
  readonly command: string;
  /** `trust`: the client reads the skills of a project only with the option, which says that the project is trusted. */
  readonly by: 'rule' | 'option' | 'trust';
  /** The option or the rule that allows it, with `{name}`. */
  readonly allow: string;
  /** What the option does besides, as a participle clause after `which`. */
  readonly gives?: string;
  /** `refused`: the call returns an error. `not-offered`: the model does not have the tool. */
  readonly otherwise: Setting<'refused' | 'not-offered'>;
}

/** A skill that is called. */
export interface CalledSkill extends Pick<Named, 'name' | 'description'> {
  readonly path: string;
  /** The text of the file. */
  readonly text: string;
  /** The offset of the body, as the client reads the file; 0 if it uses the file without frontmatter. */
  readonly bodyStart: number;
  /** The scope of the skills folder. */
  readonly scope: string;
  /** The paths of all files of the folder, relative to it; undefined if they are not known. */
  readonly files?: readonly string[];
}

/** A text in three parts. */
export interface Delivered {
  readonly gives: Gives;
  readonly before: string;
  /** The body or the file. Empty if the client gives neither. */
  readonly content: string;
  readonly after: string;
  /** The list of files in `before` or `after`; undefined if the client adds none, or the files are not known. */
  readonly files?: ListedFiles;
  /** Set if the text is too long for the client. Parts of the text are then missing, also in `before` and `after`. */
  readonly cut?: DeliveredCut;
}

/** The arguments of a call, and the function that replaces their placeholders; undefined if it is not known. */
export interface CallArguments {
  readonly text: string;
  readonly fill?: (content: string) => { readonly text: string; readonly appended: string };
}

/**
 * Returns the text that reaches the model; undefined if it is not known. Asks for a setting only if the skill makes it
 * matter. Pure; never throws.
 *
 * @param called the arguments; placeholders are filled in only if the client does that in this kind of call
 */
export function deliver(
  rules: DeliverRules,
  call: Call,
  skill: CalledSkill,
  called: CallArguments,
  place: ClientPlace,
  ask: Ask,
): Delivered | undefined {
  const own = rules[call];
  const of = `deliver.${call}`;
  const template = called.text === '' && own.bare !== undefined ? own.bare : own.text;
  const gives = ask(`${of}.gives`, own.gives);
  if (template === null) return undefined;
  const written = gives === 'body' ? skill.text.slice(skill.bodyStart) : skill.text;
  const edited = contentOf(written, own, of, skill.bodyStart > 0, ask);
  const { fill } = called;
  const fills = resultWith(ask, `${of}.arguments`, own.arguments, (one) => one === 'filled' && fill !== undefined);
  const { text: filledIn, appended } = fills && fill ? fill(edited) : { text: edited, appended: '' };
  const content = (own.masks ?? []).reduce((text, mask) => text.replace(new RegExp(mask, 'gi'), '******'), filledIn);
  const files = own.files && skill.files && listOfFiles(own.files, of, skill.files, skill.path, place, ask);
  const values: Readonly<Record<string, string>> = {
    name: skill.name,
    description: skill.description ?? '',
    path: skill.path,
    directory: splitPath(skill.path).folder,
    scope: skill.scope,
    arguments: called.text,
    files: files?.text ?? '',
    more: files?.more ?? '',
  };
  const [before = '', after] = template.split('{content}');
  const filled = (part: string): string => withValues(part, values, own.parts ?? {});
  const whole: Delivered = {
    gives,
    before: filled(before),
    content: after === undefined ? '' : content,
    after: filled(after ?? '') + appended,
    ...(files && { files }),
  };
  return limited(whole, own.limits ?? []);
}

/** Returns the body or the file as the client changes it. */
function contentOf(written: string, rules: CallRules, of: string, hasKeys: boolean, ask: Ask): string {
  const broken = resultWith(ask, `${of}.breaks`, rules.breaks, (set) =>
    set === 'lf' ? written.replace(/\r\n/g, '\n') : written,
  );
  const ruled = resultWith(ask, `${of}.rules`, rules.rules, (set) =>
    set === 'joined' ? broken.replace(/^---\s*$/gm, '---') : broken,
  );
  const started = resultWith(ask, `${of}.start`, rules.start, (set) => STARTS[set](ruled, hasKeys));
  return resultWith(ask, `${of}.end`, rules.end, (set) => ENDS[set](started, hasKeys));
}

type Change = (text: string, hasKeys: boolean) => string;

const STARTS: Readonly<Record<Edge, Change>> = {
  kept: (text) => text,
  breaks: (text) => text.replace(/^[\r\n]+/, ''),
  trimmed: (text) => text.trimStart(),
  'trimmed-after-keys': (text, hasKeys) => (hasKeys ? text.trimStart() : text),
};

const ENDS: Readonly<Record<Edge, Change>> = {
  kept: (text) => text,
  breaks: (text) => text.replace(/[\r\n]+$/, ''),
  trimmed: (text) => text.trimEnd(),
  'trimmed-after-keys': (text, hasKeys) => (hasKeys ? text.trimEnd() : text),
};

/** Returns a text with the values of its placeholders, each in its longer text if it has one. */
const withValues = (
  template: string,
  values: Readonly<Record<string, string>>,
  parts: Readonly<Partial<Record<string, string>>>,
): string =>
  template.replace(/\{(\w+)\}/g, (whole, key: string) => {
    const value = values[key];
    if (value === undefined) return whole;
    const part = value === '' ? '' : (parts[key] ?? '{value}');
    return part.replace(/\{(\w+)\}/g, (inner, name: string) => (name === 'value' ? value : (values[name] ?? inner)));
  });
