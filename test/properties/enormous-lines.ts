/** Strings of one enormous line, and strings of many megabytes. */
import { COMPOSITE, type Enormous, framed, HEAD, INPUT, skill } from './enormous-parts.ts';

const composite = (value: string): string =>
  `${COMPOSITE}composes: [b]\nexecution:\n  - step: b\n    inputs: {a: "${value}"}\n`;

/** Returns strings with a line of `length` characters at every position where a line can be. */
export function lineOf(length: number): readonly Enormous[] {
  const path = 'a.skill.md';
  const line = 'word '.repeat(length / 5).trimEnd();
  return [
    { title: 'in frontmatter', path, text: skill(`${INPUT}author: ${line}\n`) },
    { title: 'in quotes', path, text: skill(`${INPUT}author: "${line}"\n`) },
    { title: 'in frontmatter that is broken', path, text: skill(`${INPUT}author: a: ${line}\n`) },
    { title: 'in prose', path, text: skill(INPUT, line) },
    { title: 'in a template', path, text: framed(`{{ a }}${line}`) },
    { title: 'in a tag', path, text: framed(`{{ ${line} }}`) },
    { title: 'in a fence', path, text: skill(INPUT, `\`\`\`\n${line}\n\`\`\`\n`) },
    { title: 'in the file of an agent', path: 'a/SKILL.md', text: `---\nname: a\ndescription: ${line}\n---\n${line}` },
    {
      title: 'of the inputs of a key',
      path,
      text: skill(`${INPUT}policy: {idempotency_key: "${'{a} '.repeat(length / 4)}"}\n`),
    },
    { title: 'of references', path, text: skill(composite(`$input.${'a $input.'.repeat(length / 9)}a`)) },
    { title: 'in a catalog', path: 'skills.config.yaml', text: `tools:\n  - {name: a, description: ${line}}\n` },
  ];
}

/** Files that are too large for skills. */
export function megabytes(count: number): readonly Enormous[] {
  const path = 'a.skill.md';
  const fill = (unit: string): string => unit.repeat((count * 1_000_000) / unit.length);
  return [
    { title: 'of prose', path, text: skill(INPUT, fill('The rain had stopped by then.\n\n')) },
    { title: 'of YAML', path, text: skill(INPUT + fill('# A comment of some length.\n')) },
    { title: 'of a contract', path: 'a.skill.yaml', text: HEAD + fill('x: 1\n') },
    { title: 'of NUL bytes', path, text: fill('\0') },
    { title: 'of a fence that is never closed', path, text: skill(INPUT, `\`\`\`\n${fill('code\n')}`) },
  ];
}
