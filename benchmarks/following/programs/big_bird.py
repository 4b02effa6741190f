import torch
from transformers import BigBirdConfig, BigBirdModel


class MyBigBird(BigBirdModel):
    def forward(self, input_ids, attention_mask=None):
        out = super().forward(input_ids, attention_mask=attention_mask)
        return out.last_hidden_state.mean(1)


if __name__ == "__main__":
    c = BigBirdConfig(
        vocab_size=99,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=37,
        block_size=4,
        num_random_blocks=1,
        max_position_embeddings=128,
    )
    ids = torch.randint(0, 99, (2, 64))
    torch.compile(MyBigBird(c), backend="eager")(ids, torch.ones_like(ids))
