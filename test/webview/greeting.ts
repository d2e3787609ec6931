/** A small skill that greets, and its prompt in the page. */
import { strict as assert } from 'node:assert';
import type { ShownSegment } from '../../client/src/panels/preview/messages.ts';
import type { Preview } from './page.ts';
import { type Show, showText, skill } from './reply.ts';

export const greeting = (body: string): Show =>
  showText(
    skill(
      'input_schema:\n  who: {type: string, default: world}\nframing: main\n',
      `## PromptTemplate: main\n\n${body}\n## Description: manners\n\nBe **kind** to \`code\`.\n`,
    ),
  );

export const BROKEN = 'Say hello to {{ who.\n';

export const textOf = ({ page }: Preview): Promise<string> =>
  page.evaluate(() => [...document.querySelectorAll('.paragraph')].map((one) => one.textContent).join(''));

export const promptOf = ({ reply }: Show): string =>
  reply.result.ok ? reply.result.composition.prompt : assert.fail();

export const printedBy = ({ reply }: Show): ShownSegment => {
  const segments = reply.result.ok ? reply.result.composition.segments : [];
  return segments.find(({ kind, source }) => kind === 'value' && source) ?? assert.fail('it prints no value');
};

/** The text that a `::highlight` marks. */
export const highlighted = ({ page }: Preview, name: string): Promise<readonly string[]> =>
  page.evaluate((wanted) => [...(CSS.highlights.get(wanted) ?? [])].map((range) => (range as Range).toString()), name);
