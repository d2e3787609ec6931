/** Commands in `.claude/commands` that ask one question each: does Copilot CLI load the command? */

const keys = (text: string): string => `---\n${text}\n---\nChop.\n`;

/** The texts of the commands, by the name of the file and the question. */
const TEXTS: Readonly<Record<string, string>> = {
  'c01-empty': '',
  'c02-text': 'Chop.\n',
  'c03-heading': '# Chop\n\nText.\n',
  'c04-description': keys('description: Chops.'),
  'c05-empty-description': keys('description: ""'),
  'c06-date': keys('description: 2026-01-01'),
  'c07-block': keys('description: >-\n  Chops.'),
  'c08-indented-keys': keys(' description: Chops.'),
  'c09-no-description': keys('allowed-tools: Read'),
  'c10-no-tools': keys('description: Chops.\nallowed-tools: []'),
  'c11-model-number': keys('description: Chops.\nmodel: 7'),
  'c12-unknown-keys': keys('description: Chops.\nunknown: 7\nhooks: []'),
  'c13-text-first': 'Chop.\n---\ndescription: Chops.\n---\n',
  'c14-bom': '\uFEFF---\ndescription: Chops.\n---\nChop.\n',
  'c15-crlf': '---\r\ndescription: Chops.\r\n---\r\nChop.\r\n',
  'c16-unclosed-quote': keys('description: "Chops.'),
  'c17-colon': keys('description: Chops: leeks.'),
  'c18-description-list': keys('description: [x]'),
  'c19-description-number': keys('description: 7'),
  'c20-description-boolean': keys('description: true'),
  'c21-description-null': keys('description:'),
  'c22-key-twice': keys('description: Chops.\ndescription: Cuts.'),
  'c23-tools-number': keys('description: Chops.\nallowed-tools: 7'),
  'c24-tools-null': keys('description: Chops.\nallowed-tools:'),
  'c25-tools-mixed': keys('description: Chops.\nallowed-tools: [Read, 7]'),
  'c26-tools-map': keys('description: Chops.\nallowed-tools: {a: b}'),
  'c27-tools-colon': keys('description: Chops.\nallowed-tools: Bash(git: *), Read'),
  'c28-hint-list': keys('description: Chops.\nargument-hint: [a]'),
  'c29-hint-two-lists': keys('description: Chops.\nargument-hint: [a] [b]'),
  'c30-hint': keys('description: Chops.\nargument-hint: "[a]"'),
  'c31-hidden-text': keys('description: Chops.\ndisable-model-invocation: "true"'),
  'c32-name-number': keys('name: 7\ndescription: Chops.'),
  'c33-unclosed': '---\ndescription: Chops.\n',
  'c34-dots': '---\ndescription: Chops.\n...\nChop.\n',
  'c35-empty-line-first': '\n---\ndescription: Chops.\n---\nChop.\n',
  'c36-user-invocable-text': keys('description: Chops.\nuser-invocable: "no"'),
  'c37-context-fork': keys('description: Chops.\ncontext: fork'),
  'c38-tools-empty-text': keys('description: Chops.\nallowed-tools: ""'),
  'c39-hint-null': keys('description: Chops.\nargument-hint:'),
  'c40-hint-number': keys('description: Chops.\nargument-hint: 7'),
};

export interface CommandForm {
  /** The name of the command. */
  readonly id: string;
  readonly text: string;
}

export const COMMAND_FORMS: readonly CommandForm[] = Object.entries(TEXTS).map(([id, text]) => ({ id, text }));
