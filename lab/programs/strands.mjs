// One request with Strands Agents: WORKSPACE MODEL_URL PROMPT
import { join } from 'node:path';
import { Agent } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { AgentSkills } from '@strands-agents/sdk/vended-plugins/skills';

const [workspace, url, prompt] = process.argv.slice(2);
const clientConfig = { baseURL: `${url}/v1` };
const model = new OpenAIModel({ api: 'chat', modelId: 'lab', apiKey: 'none', clientConfig });
const skills = [join(workspace, '.agents', 'skills')];
const agent = new Agent({ model, systemPrompt: 'Help.', plugins: [new AgentSkills({ skills })], printer: false });
await agent.invoke(prompt);
