/** The causes of what a client does with a file: the stops of its steps, and some that do not stop it. */
import { formatNumber } from '../../format-amounts.ts';
import type { ReasonCode } from '../pipeline/explain.ts';

/**
 * `fields/renamed`: the client uses another name than the `name`; `entry/cut`: it shows a part of the description; `entry/lines`: only its
 * first line;
 * `keys/unknown` and `keys/no-effect`: it does not read a key; `call/name`: people cannot call a skill with this name.
 */
export type CauseCode =
  | ReasonCode
  | 'fields/renamed'
  | 'entry/cut'
  | 'entry/lines'
  | 'keys/unknown'
  | 'keys/no-effect'
  | 'call/name';

/** The property of a file or its folder that causes a reason. */
export interface Cause {
  readonly code: CauseCode;
  /** The frontmatter key that is the cause, if there is one. */
  readonly key?: string;
  /** The offset of the cause in UTF-16 code units, for the steps `open` and `parse`. */
  readonly at?: number;
  /** The lengths of the shown part and of the whole, in the client's unit, for a description that is cut. */
  readonly cut?: { readonly to: number; readonly of: number };
  /** The size of a value or of the file, and the limit of the client, if it is over the limit. */
  readonly size?: { readonly amount: number; readonly most: number; readonly unit: string };
  /** A sentence without a period, if the code does not say everything. */
  readonly text?: string;
}

interface About {
  /** A sentence without a period. */
  readonly text: string | ((key: string) => string);
  /** The advice to an author, as a sentence. */
  readonly advice?: string;
  /** The path of the setting that decides, in the client's data. */
  readonly setting: string | ((key: string) => string);
  /** The rules for the standard that may report the same defect, at the same place or for the same key. */
  readonly rules?: readonly string[];
  /** The code under which rules report the cause, if it is another form of the same defect. */
  readonly sameAs?: CauseCode;
}

const YAML = ['invalid-yaml'];
const KEYS = [
  'agent-skill-missing-key',
  'agent-skill-name',
  'agent-skill-name-folder',
  'agent-skill-description',
  'agent-skill-key-value',
  'agent-skill-metadata',
  'agent-skill-allowed-tools',
  'agent-skill-compatibility',
];
const SHORTEN = 'Shorten it.';

const ABOUT: Readonly<Record<CauseCode, About>> = {
  'find/folder': {
    text: '',
    advice: 'Move the skill there, or remove the client from the target clients.',
    setting: 'find.folders',
  },
  'find/file-name': {
    text: '',
    advice: 'Rename the file.',
    setting: 'find.fileName',
    rules: ['agent-skill-file-name'],
  },
  'find/depth': { text: '', advice: "Move the skill's folder.", setting: 'find.depth' },
  'find/hidden': {
    text: '',
    advice: 'Rename the folder, so that its name does not begin with a dot.',
    setting: 'find.hidden',
  },
  'find/below-skill': {
    text: '',
    advice: "Move the skill's folder out of that folder, or rename that file.",
    setting: 'find.belowSkill',
  },
  'find/link': { text: '', advice: 'Replace the link with the file itself.', setting: 'find.folderLinks' },
  'find/left-out': { text: '', advice: "Move the skill's folder.", setting: 'find.leftOut' },
  // Rows have another text for a folder that a setting adds. Only predictions stop there.
  'find/setting': { text: 'The client reads this folder only with a setting', setting: 'find.folders' },
  'find/plugin-refused': { text: '', advice: 'Correct the manifest.', setting: 'plugins' },
  'find/plugin-name': { text: '', advice: 'Rename one of the plugins.', setting: 'plugins' },
  'find/plugin-root': { text: '', advice: 'Move the file to a folder in `skills`.', setting: 'plugins.root' },
  'find/plugin-no-root': { text: '', advice: 'Move the file to a folder in `skills`.', setting: 'plugins.root' },
  'find/plugin-other': { text: '', advice: 'Move that file to a folder of its own.', setting: 'plugins.direct' },
  'find/plugin-depth': { text: '', setting: 'plugins.depth', rules: ['unshipped-skill'] },
  'find/plugin-path': { text: '', setting: 'plugins.key', rules: ['unshipped-skill'] },
  'find/plugin-command': {
    text: '',
    advice: 'Rename one of them.',
    setting: 'plugins.commandsFirst',
    rules: ['duplicate-skill'],
  },
  'find/too-large': {
    text: 'The file is too large',
    advice: 'Move parts of it to other files.',
    setting: 'find.maxBytes',
  },
  'open/no-frontmatter': {
    text: 'The file has no frontmatter',
    setting: 'open.absent',
  },
  'open/before': {
    text: 'Text or empty lines precede the frontmatter',
    advice: 'Move the frontmatter to the first line.',
    setting: 'open.opens',
  },
  'open/bom': {
    text: 'The file begins with a byte order mark',
    advice: 'Save the file without it.',
    setting: 'open.bom',
  },
  'open/cr': {
    text: 'A line ends with CR instead of LF',
    advice: 'Save the file with LF line endings.',
    setting: 'open.cr',
  },
  'open/crlf': {
    text: 'Lines end with CR and LF',
    advice: 'Save the file with LF line endings.',
    setting: 'open.crlf',
  },
  'open/unclosed': { text: 'The frontmatter is not closed', setting: 'open.closes', rules: YAML },
  'open/encoding': { text: 'The file is not UTF-8', advice: 'Save the file as UTF-8.', setting: 'open.encoding' },
  'parse/syntax': { text: 'The frontmatter is not valid YAML', setting: 'parse.dialect', rules: YAML },
  'parse/colon': { text: 'A value without quotes contains a colon', setting: 'parse.repair', rules: YAML },
  'parse/tab': {
    text: 'A tab separates words, which not all programs can read in YAML',
    advice: 'Write a space.',
    setting: 'parse.dialect',
    rules: YAML,
  },
  'parse/line-break': {
    text: 'The YAML contains an invisible line separator, which not all programs can read',
    advice: 'Write a space.',
    setting: 'parse.dialect',
    rules: YAML,
  },
  'parse/escape': {
    text: 'Not all programs can read `\\/` in YAML',
    advice: 'Write `/`.',
    setting: 'parse.dialect',
    rules: YAML,
  },
  'parse/duplicate-key': {
    text: (key) => (key === '' ? 'A key is written twice' : `The key \`${key}\` is written twice`),
    setting: 'parse.duplicates',
    rules: ['duplicate-key'],
  },
  'parse/not-a-map': {
    text: 'The frontmatter has no keys',
    setting: 'parse.dialect',
    rules: ['agent-skill-missing-key', 'invalid-yaml'],
  },
  'fields/missing': {
    text: (key) => `The \`${key}\` is missing`,
    setting: (key) => (key === 'name' ? 'fields.name.from' : `fields.${key}.missing`),
    rules: [...KEYS, 'agent-skill-split-frontmatter'],
  },
  'fields/type': {
    text: (key) => `The value of \`${key}\` has another type than it must have`,
    advice: 'Put it in quotes, or write a value of the right type.',
    setting: (key) => (key === 'name' || key === 'description' ? `fields.${key}.otherType` : 'fields.types'),
    rules: KEYS,
  },
  'fields/pattern': {
    text: 'The `name` has a form that is not supported',
    advice: 'Use only the letters a to z, digits and single hyphens.',
    setting: 'fields.name.pattern',
    rules: ['agent-skill-name', 'agent-skill-name-folder'],
  },
  'fields/length': {
    text: (key) => `The \`${key}\` is too long`,
    advice: SHORTEN,
    setting: (key) => `fields.${key}.max`,
    rules: KEYS,
  },
  'fields/folder': {
    text: 'The `name` differs from the folder name',
    setting: 'fields.name.isFolder',
    rules: ['agent-skill-name-folder', 'agent-skill-name', 'duplicate-key'],
  },
  'fields/reserved': {
    text: 'The `name` contains a reserved word',
    advice: 'Remove the word from the name and from the name of the folder.',
    setting: 'fields.name.reserved',
  },
  'fields/tags': {
    text: 'The `description` contains `<` or `>`',
    advice: 'Write it without them.',
    setting: 'fields.description.refusesTags',
    rules: ['agent-skill-description'],
  },
  'fields/value': {
    text: (key) => `This value of \`${key}\` is not accepted`,
    advice: 'Use another value, or remove the key.',
    setting: 'fields.values',
    rules: KEYS,
  },
  'fields/unknown-key': {
    text: (key) => `\`${key}\` is not an accepted key`,
    advice: 'Move it under `metadata`, or remove it.',
    setting: 'fields.keys',
    rules: ['agent-skill-unknown-key', 'agent-skill-missing-key'],
  },
  'fields/body': {
    text: 'The body is empty',
    advice: 'Write the instructions in the body.',
    setting: 'fields.emptyBody',
    rules: ['missing-framing'],
  },
  'fields/renamed': {
    text: 'The `name` differs from the folder name',
    setting: 'fields.name.from',
    rules: ['agent-skill-name-folder', 'agent-skill-name', 'duplicate-key'],
    sameAs: 'fields/folder',
  },
  'resolve/equal-name': {
    text: 'Another skill has the same name',
    advice: 'Rename one of them.',
    setting: 'resolve.equalNames',
    rules: ['duplicate-skill'],
  },
  'admit/key': { text: '', setting: 'admit.rules' },
  'admit/side-file': { text: '', setting: 'admit.openAi' },
  'admit/missing': {
    text: (key) => `The \`${key}\` is missing`,
    setting: 'admit',
    rules: [...KEYS, 'agent-skill-split-frontmatter'],
    sameAs: 'fields/missing',
  },
  'entry/cut': {
    text: (key) =>
      key === 'description' || key === 'name'
        ? `The \`${key}\` is too long`
        : `The \`description\` together with \`${key}\` is too long`,
    advice: SHORTEN,
    setting: (key) => (key === 'name' ? 'fields.name.cut' : 'entry.text'),
    rules: ['agent-skill-description', 'agent-skill-name'],
    sameAs: 'fields/length',
  },
  'entry/lines': {
    text: (key) =>
      key === 'description'
        ? 'Only the first line of the `description` is listed'
        : `Only the first line is listed, without \`${key}\``,
    advice: 'Write the most important words in the first line.',
    setting: 'entry.text',
  },
  'keys/unknown': {
    text: (key) => `\`${key}\` is not a key of this client`,
    setting: 'admit',
    rules: ['agent-skill-unknown-key'],
  },
  'keys/no-effect': { text: '', setting: 'admit', rules: ['agent-skill-allowed-tools'] },
  'call/name': { text: '', setting: 'admit' },
};

/** Returns the cause as a sentence without a period; empty if only a reason describes it. */
export function describeCause({ code, key = '', text, size }: Cause): string {
  const known = ABOUT[code].text;
  const sentence = text ?? (typeof known === 'string' ? known : known(key));
  return size ? `${sentence}: ${describeSize(size)}` : sentence;
}

/** Returns a size with its limit, such as `1,215 bytes of 1,024`. */
export const describeSize = ({ amount, most, unit }: NonNullable<Cause['size']>): string =>
  `${formatNumber(amount)} ${unit} of ${formatNumber(most)}`;

/** Returns the advice about a cause, as a sentence; empty if the cause says it. */
export const adviceFor = ({ code }: Cause): string => ABOUT[code].advice ?? '';

/** Returns the path of the setting that decides what a client does about a cause. */
export function settingOf({ code, key = '' }: Pick<Cause, 'code' | 'key'>): string {
  const { setting } = ABOUT[code];
  return typeof setting === 'string' ? setting : setting(key);
}

/** Returns the text and the advice of a cause, as sentences. */
export const explanationOf = (cause: Cause): string => `${describeCause(cause)}. ${adviceFor(cause)}`.trim();

/** Returns the code under which rules report a cause: equal for causes that are forms of one defect. */
export const sameCode = (code: CauseCode): CauseCode => ABOUT[code].sameAs ?? code;

/** The steps before which a file has no frontmatter: all their causes are one defect with its absence. */
const WITHOUT_FRONTMATTER: ReadonlySet<string> = new Set(['open', 'parse', 'fields', 'admit']);

/**
 * Returns the rules for the standard that may report a cause: those at the same place or for the same key, and those whose
 * findings are about the whole file.
 */
export function standardRulesFor(cause: Cause): {
  readonly rules: readonly string[];
  readonly ofFile: readonly string[];
} {
  const { code, key } = cause;
  const other = key === 'name' ? 'description' : key === 'description' ? 'name' : undefined;
  return {
    rules: (ABOUT[code].rules ?? []).filter((rule) => other === undefined || !rule.startsWith(`agent-skill-${other}`)),
    ofFile: WITHOUT_FRONTMATTER.has(stepOf(cause)) ? ['missing-frontmatter'] : [],
  };
}

/** Returns the step of a cause. */
export const stepOf = ({ code }: Pick<Cause, 'code'>): string => code.slice(0, code.indexOf('/'));

/** Returns whether a cause is about the path of a file, and not about its text. */
export const isAboutPlace = (cause: Pick<Cause, 'code'>): boolean =>
  stepOf(cause) === 'find' && cause.code !== 'find/too-large';
