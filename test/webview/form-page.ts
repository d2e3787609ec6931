/** A skill with a parameter of each kind, and its form in the page. */
import type { ToPanel } from '../../client/src/panels/preview/messages.ts';
import { openPreview, type Preview } from './page.ts';
import { type Ask, type Show, showText, skill } from './reply.ts';

const schema = `input_schema:
  title: string, what it is called
  tone: {type: string, enum: [grim, wry], default: wry}
  beats: {type: integer, min: 3, max: 9, default: 5}
  quick: {type: boolean, default: true}
  sure: boolean
  day: {type: string, format: date}
  cast: {type: array, items: string}
  place:
    type: object
    properties:
      name: {type: string}
      far: {type: boolean}
      near: {type: object, properties: {street: {type: string}}}
samples:
  short:
    request: Do it.
    thread_id: t-1
    parameters:
      title: Dusk
      sure: true
      day: 2025-04-01
      cast: [Ann]
      place: {name: Vey, far: false, near: {street: Low}}
`;

export const scene = (ask: Ask = {}): Show =>
  showText(skill(schema, '## PromptTemplate: main\n\n{{ title }} is {{ tone }}.\n'), ask);

export async function opened(ask: Ask): Promise<Preview> {
  const preview = await openPreview();
  await preview.send(scene(ask));
  await preview.send({ type: 'focus', what: 'input' });
  await preview.page.locator('.sheet').waitFor();
  await preview.sent();
  return preview;
}

/** The last request of the page. */
export const asked = (sent: readonly ToPanel[]) => sent.findLast((one) => one.type === 'compose')?.asked;

export const parameters = async (preview: Preview) => asked(await preview.sent())?.invocation?.parameters;

/** The control with this name in the form. */
export const control = ({ page }: Preview, name: string) =>
  page.locator('.sheet').getByLabel(name).and(page.locator('input, select, textarea'));
