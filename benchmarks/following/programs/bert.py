import torch
from torch import nn
from transformers import BertConfig, BertModel


class MyBert(BertModel):
    pass


class Classifier(nn.Module):
    def __init__(self, config: BertConfig):
        super().__init__()
        self.bert = BertModel(config)
        self.head = nn.Linear(config.hidden_size, 2)

    def forward(self, input_ids, attention_mask=None):
        out = self.bert(input_ids, attention_mask=attention_mask)
        return self.head(out.last_hidden_state[:, 0])


if __name__ == "__main__":
    config = BertConfig(vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37)
    ids = torch.randint(0, 99, (2, 7))
    for model in (Classifier(config), MyBert(config)):
        torch._dynamo.reset()
        torch.compile(model, backend="eager")(ids, torch.ones_like(ids))
