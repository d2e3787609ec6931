/** The parts of generated, enormous strings. */

export const HEAD = 'name: a\ndescription: What it is.\nversion: 1.0.0\n';

export const skill = (yaml: string, body = 'Body.\n'): string => `---\n${HEAD}${yaml}---\n\n${body}`;

export const framed = (template: string): string =>
  skill('input_schema: {a: string}\n', `## PromptTemplate: one\n\n\`\`\`jinja\n${template}\n\`\`\`\n`);

export const INPUT = 'input_schema: {}\n';

export const numbered = (count: number, line: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => line(number)).join('');

export const COMPOSITE = `${INPUT}level: 3\noutput_schema: {}\n`;

export interface Enormous {
  readonly title: string;
  readonly path: string;
  readonly text: string;
  /** Further files of the workspace. */
  readonly beside?: Readonly<Record<string, string>>;
}
