import torch
from torch import nn
from transformers import HubertConfig, HubertModel, LongformerConfig, LongformerModel, T5Config, T5Model

SMALL = {
    "vocab_size": 99,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 37,
}


class Three(nn.Module):
    def __init__(self):
        super().__init__()
        self.longformer = LongformerModel(
            LongformerConfig(attention_window=4, max_position_embeddings=130, pad_token_id=1, **SMALL)
        )
        self.t5 = T5Model(T5Config(vocab_size=99, d_model=32, d_kv=8, d_ff=37, num_layers=2, num_heads=4))
        self.hubert = HubertModel(
            HubertConfig(
                conv_dim=(32, 32),
                conv_stride=(4, 4),
                conv_kernel=(8, 8),
                num_conv_pos_embeddings=16,
                num_conv_pos_embedding_groups=2,
                **SMALL,
            )
        )

    def forward(self, ids: torch.Tensor, wave: torch.Tensor):
        a = self.longformer(ids).pooler_output
        b = self.t5(input_ids=ids, decoder_input_ids=ids).last_hidden_state
        c = self.hubert(wave)[0]
        return a.sum() + b.sum() + c.sum()


if __name__ == "__main__":
    m = Three().train()
    torch.compile(m, backend="eager")(torch.randint(2, 99, (2, 16)), torch.randn(2, 1024))
