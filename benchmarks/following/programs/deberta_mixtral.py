import torch
from torch import nn
from transformers import DebertaV2Config, DebertaV2Model, MixtralConfig, MixtralForCausalLM


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = DebertaV2Model(
            DebertaV2Config(
                vocab_size=99,
                hidden_size=32,
                num_hidden_layers=2,
                num_attention_heads=4,
                intermediate_size=37,
                relative_attention=True,
                pos_att_type=["p2c", "c2p"],
            )
        )
        self.lm = MixtralForCausalLM(
            MixtralConfig(
                vocab_size=99,
                hidden_size=32,
                num_hidden_layers=2,
                num_attention_heads=4,
                num_key_value_heads=2,
                intermediate_size=37,
                num_local_experts=4,
            )
        )

    def forward(self, ids: torch.Tensor):
        h = self.encoder(ids).last_hidden_state
        lm = self.lm(input_ids=ids, labels=ids)
        return h.sum() + lm.loss


if __name__ == "__main__":
    torch.compile(Mixed(), backend="eager")(torch.randint(0, 99, (2, 16)))
